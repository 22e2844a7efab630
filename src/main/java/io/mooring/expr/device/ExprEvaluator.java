package io.mooring.expr.device;

import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.ColumnView;
import ai.rapids.cudf.Scalar;
import io.mooring.expr.DeviceExpr;
import org.jspecify.annotations.Nullable;

/** Evaluates expressions over device columns on the per-thread stream of the calling thread. */
public final class ExprEvaluator {
  private ExprEvaluator() {}

  /**
   * The values of an expression for all rows; the caller closes the column. Decimals have the width
   * of {@code DecimalUtils.createDecimalType} for their precision.
   *
   * @throws SparkFallbackException when some row's result is Spark's to compute: an error under
   *     ANSI, or a value that cudf treats otherwise
   */
  public static ColumnVector evaluate(DeviceExpr expr, DeviceBatch input) {
    return evaluate(expr, input, null);
  }

  /**
   * As the other, for some of the rows.
   *
   * @param reached true for those that are asked for, without nulls; null for all
   */
  static ColumnVector evaluate(DeviceExpr expr, DeviceBatch input, @Nullable ColumnVector reached) {
    if (expr instanceof DeviceExpr.InputColumn column) {
      return input.column(column.ordinal()).incRefCount();
    } else if (input.rows() == 0 || expr instanceof DeviceExpr.Literal) {
      return repeated(expr, input);
    }
    try (Evaluation evaluation = new Evaluation(input, reached)) {
      return evaluation.result(values(expr, evaluation));
    }
  }

  /** A constant; of no rows any will do. */
  private static ColumnVector repeated(DeviceExpr expr, DeviceBatch input) {
    DeviceExpr.Literal literal =
        expr instanceof DeviceExpr.Literal constant
            ? constant
            : new DeviceExpr.Literal(null, expr.type());
    try (Scalar scalar = Evaluation.scalar(literal)) {
      return ColumnVector.fromScalar(scalar, Math.toIntExact(input.rows()));
    }
  }

  private static ColumnView values(DeviceExpr expr, Evaluation e) {
    if (expr instanceof DeviceExpr.Comparison comparison) {
      return Comparisons.values(comparison, e);
    } else if (expr instanceof DeviceExpr.In in) {
      return Comparisons.values(in, e);
    } else if (expr instanceof DeviceExpr.Logical logical) {
      return Conditionals.values(logical, e);
    } else if (expr instanceof DeviceExpr.CaseWhen branches) {
      return Conditionals.values(branches, e);
    } else if (expr instanceof DeviceExpr.Choice choice) {
      return Conditionals.values(choice, e);
    } else if (expr instanceof DeviceExpr.Arithmetic arithmetic) {
      return NumberArithmetic.values(arithmetic, e);
    } else if (expr instanceof DeviceExpr.Unary unary) {
      return UnaryOperators.values(unary, e);
    } else if (expr instanceof DeviceExpr.Cast cast) {
      return Casts.values(cast, e);
    } else if (expr instanceof DeviceExpr.DateFunction function) {
      return DateFunctions.values(function, e);
    } else if (expr instanceof DeviceExpr.TextFunction function) {
      return StringFunctions.values(function, e);
    }
    throw new IllegalArgumentException("No evaluation on the device of " + expr);
  }
}
