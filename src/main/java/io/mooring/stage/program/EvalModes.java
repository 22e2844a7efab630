package io.mooring.stage.program;

import java.lang.reflect.Method;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateFunction;

/** Evaluation modes of aggregate functions, which Spark's versions keep in different places. */
final class EvalModes {
  private EvalModes() {}

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
      for (Method method : holder.getClass().getMethods()) {
        if (method.getName().equals("evalMode") && method.getParameterCount() == 0) {
          return String.valueOf(method.invoke(holder));
        }
      }
      return name(holder.getClass().getMethod("evalContext").invoke(holder));
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(
          "Mooring does not know " + holder.getClass() + " of this Spark version", e);
    }
  }
}
