package io.mooring.stage.device;

import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.Scalar;
import io.mooring.expr.DeviceExpr;
import io.mooring.expr.device.DeviceBatch;
import io.mooring.expr.device.ExprEvaluator;
import io.mooring.stage.program.BufferFunction;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The inputs of aggregate functions, without rows that their filters or nulls leave out. */
final class AggregateInputs {
  private AggregateInputs() {}

  /** The values of a function's input, null in rows that its filter leaves out. */
  static ColumnVector input(BufferFunction function, DeviceBatch rows) {
    ColumnVector values = ExprEvaluator.evaluate(function.input(), rows);
    if (function.filter() == null) {
      return values;
    }
    try (values;
        ColumnVector counts = ExprEvaluator.evaluate(function.filter(), rows);
        Scalar none = Scalar.fromNull(values.getType())) {
      return counts.ifElse(values, none);
    }
  }

  /** Whether a row counts, without nulls; null when all do. */
  static @Nullable ColumnVector mask(BufferFunction function, DeviceBatch rows) {
    @Nullable ColumnVector mask = null;
    boolean done = false;
    try {
      if (function.filter() != null) {
        mask = passing(function.filter(), rows);
      }
      for (DeviceExpr input : function.inputs()) {
        mask = and(mask, present(input, rows));
      }
      done = true;
      return mask;
    } finally {
      if (!done && mask != null) {
        mask.close();
      }
    }
  }

  private static ColumnVector passing(DeviceExpr filter, DeviceBatch rows) {
    try (ColumnVector passes = ExprEvaluator.evaluate(filter, rows);
        Scalar no = Scalar.fromBool(false)) {
      return passes.replaceNulls(no);
    }
  }

  private static ColumnVector present(DeviceExpr input, DeviceBatch rows) {
    try (ColumnVector values = ExprEvaluator.evaluate(input, rows)) {
      return values.isNotNull();
    }
  }

  /** Closes both. */
  private static ColumnVector and(@Nullable ColumnVector mask, ColumnVector other) {
    if (mask == null) {
      return other;
    }
    try (other;
        ColumnVector one = Objects.requireNonNull(mask)) {
      return one.and(other);
    }
  }
}
