package io.mooring.stage.program;

import java.lang.reflect.Method;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateFunction;

/** How functions meet errors; where they keep that differs between Spark's versions. */
final class EvalModes {
  private EvalModes() {}

  /** Whether it goes on over them, as without ANSI mode. */
  static boolean isLegacy(AggregateFunction function) {
    return name(function).equals("LEGACY");
  }

  /** Whether it makes null of them. */
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
      throw new IllegalStateException("This Spark's " + holder.getClass() + " is not known", e);
    }
  }
}
