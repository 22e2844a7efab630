package io.mooring.stage.program;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateFunction;
import scala.Enumeration;

/** Evaluation modes of aggregate functions, which Spark's versions keep in different places. */
final class EvalModes {
  // To look for methods takes longer than everything else that is asked of an aggregate.
  private static final ClassValue<Method> GETTERS =
      new ClassValue<>() {
        @Override
        protected Method computeValue(Class<?> type) {
          return getter(type);
        }
      };

  private EvalModes() {}

  /** The method that gives the mode of a class, or what holds the mode. */
  private static Method getter(Class<?> type) {
    return Stream.of("evalMode", "evalContext")
        .flatMap(name -> Arrays.stream(type.getMethods()).filter(it -> it.getName().equals(name)))
        .filter(method -> method.getParameterCount() == 0)
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalStateException(
                    "Mooring does not know " + type + " of this Spark version"));
  }

  /** Whether an overflow wraps around or gives null, as without ANSI mode. */
  static boolean isLegacy(AggregateFunction function) {
    return name(function).equals("LEGACY");
  }

  /** Whether an error gives null, as in try_sum. */
  static boolean isTry(AggregateFunction function) {
    return name(function).equals("TRY");
  }

  private static String name(Object holder) {
    try {
      Object held = GETTERS.get(holder.getClass()).invoke(holder);
      return held instanceof Enumeration.Value mode ? mode.toString() : name(held);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(
          "Mooring does not know " + holder.getClass() + " of this Spark version", e);
    }
  }
}
