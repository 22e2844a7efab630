package io.mooring.testing;

import io.mooring.jni.NativeLibrary;
import io.mooring.jni.PoolJni;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

/** A test that needs a GPU, or several: skipped, with the reason, where there are fewer. */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Tag("gpu")
@ExtendWith(RequiresGpu.Condition.class)
public @interface RequiresGpu {
  /** How many. */
  int devices() default 1;

  /** Asks the driver. */
  final class Condition implements ExecutionCondition {
    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
      int needed =
          AnnotationSupport.findAnnotation(context.getElement(), RequiresGpu.class)
              .map(RequiresGpu::devices)
              .orElse(1);
      int there = devices();
      if (there >= needed) {
        return ConditionEvaluationResult.enabled("GPUs: " + there);
      }
      return ConditionEvaluationResult.disabled(
          there == 0 ? "no GPU: " + PoolJni.deviceProblem() : "fewer than " + needed + " GPUs");
    }

    /** Whether this machine has a usable GPU. */
    public static boolean gpuIsThere() {
      return devices() > 0;
    }

    private static int devices() {
      if (!NativeLibrary.load()) {
        throw new IllegalStateException(NativeLibrary.problem());
      }
      return PoolJni.deviceCount();
    }
  }
}
