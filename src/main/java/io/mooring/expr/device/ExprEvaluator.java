package io.mooring.expr.device;

import ai.rapids.cudf.ColumnVector;
import io.mooring.expr.DeviceExpr;

/**
 * Evaluates expressions over device columns on the per-thread stream of the calling thread.
 */
public final class ExprEvaluator {
  private ExprEvaluator() {}

  /**
   * The values of an expression for all rows; the caller closes the column. Decimals have the width
   * of {@code DecimalUtils.createDecimalType} for their precision.
   *
   * @throws RowsForSparkException when some row's result is Spark's to compute: an error under
   *     ANSI, or a value that cudf treats otherwise
   */
  public static ColumnVector evaluate(DeviceExpr expr, DeviceBatch input) {
    if (expr instanceof DeviceExpr.InputColumn column) {
      return input.column(column.ordinal()).incRefCount();
    }
    throw new IllegalArgumentException("No evaluation on the device of " + expr);
  }
}
