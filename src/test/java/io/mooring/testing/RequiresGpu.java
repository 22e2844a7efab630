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

/** A test that needs a GPU: skipped, with the reason, where there is none. */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Tag("gpu")
@ExtendWith(RequiresGpu.Condition.class)
public @interface RequiresGpu {
  /** Asks the driver. */
  final class Condition implements ExecutionCondition {
    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
      return gpuIsThere()
          ? ConditionEvaluationResult.enabled("there is a GPU")
          : ConditionEvaluationResult.disabled("no GPU: " + PoolJni.deviceProblem());
    }

    /** Whether this machine has a usable GPU. */
    public static boolean gpuIsThere() {
      if (!NativeLibrary.load()) {
        throw new IllegalStateException(NativeLibrary.problem());
      }
      return PoolJni.deviceCount() > 0;
    }
  }
}
