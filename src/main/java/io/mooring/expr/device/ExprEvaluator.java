package io.mooring.expr.device;

import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.ColumnView;
import ai.rapids.cudf.Scalar;
import io.mooring.expr.Arithmetic;
import io.mooring.expr.CommonExpressions;
import io.mooring.expr.DateFunction;
import io.mooring.expr.DeviceExpr;
import io.mooring.expr.StringFunction;
import io.mooring.expr.TimeText;
import io.mooring.expr.Unary;
import io.mooring.expr.UnixTime;
import java.util.List;
import java.util.function.BiFunction;
import org.apache.spark.sql.types.DecimalType;
import org.jspecify.annotations.Nullable;

/** Evaluates expressions over device columns on the per-thread stream of the calling thread. */
public final class ExprEvaluator implements DeviceExpr.Visitor<ColumnVector> {
  private final BatchEvaluator batch;
  private final DeviceBatch input;
  private final @Nullable ColumnVector reached;

  /**
   * @param reached true for rows that are asked for, without nulls; null for all
   */
  ExprEvaluator(BatchEvaluator batch, @Nullable ColumnVector reached) {
    this.batch = batch;
    this.input = batch.input();
    this.reached = reached;
  }

  /**
   * The values of an expression for all rows; the caller closes the column. Decimals have the width
   * of {@code DecimalUtils.createDecimalType} for their precision.
   *
   * @throws SparkFallbackException when Spark has to compute some row: an error under ANSI, or a
   *     value that cudf treats otherwise
   */
  public static ColumnVector evaluate(DeviceExpr expr, DeviceBatch input) {
    try (BatchEvaluator alone = new BatchEvaluator(input, CommonExpressions.of(List.of(expr)))) {
      return alone.evaluate(expr);
    }
  }

  /** The values of a node; an empty column where there are no rows. */
  private <E extends DeviceExpr> ColumnVector computed(
      E expr, BiFunction<E, Evaluation, ColumnView> values) {
    if (input.rows() == 0) {
      return visit(new DeviceExpr.Literal(null, expr.type()));
    }
    // Values of rows that are not asked for are arbitrary.
    return reached == null
        ? batch.known(expr, () -> evaluated(expr, values))
        : evaluated(expr, values);
  }

  private <E extends DeviceExpr> ColumnVector evaluated(
      E expr, BiFunction<E, Evaluation, ColumnView> values) {
    try (Evaluation evaluation = new Evaluation(input, reached, this::child)) {
      return evaluation.result(values.apply(expr, evaluation));
    }
  }

  private ColumnVector child(DeviceExpr child, @Nullable ColumnVector rows) {
    return child.accept(new ExprEvaluator(batch, rows));
  }

  @Override
  public ColumnVector visit(DeviceExpr.InputColumn column) {
    return input.column(column.ordinal()).incRefCount();
  }

  @Override
  public ColumnVector visit(DeviceExpr.Literal literal) {
    try (Scalar scalar = Evaluation.scalar(literal)) {
      return ColumnVector.fromScalar(scalar, Math.toIntExact(input.rows()));
    }
  }

  @Override
  public ColumnVector visit(DeviceExpr.Comparison comparison) {
    return computed(comparison, Comparisons::values);
  }

  @Override
  public ColumnVector visit(DeviceExpr.In in) {
    return computed(in, Comparisons::values);
  }

  @Override
  public ColumnVector visit(DeviceExpr.Logical logical) {
    return computed(logical, Conditionals::values);
  }

  @Override
  public ColumnVector visit(DeviceExpr.CaseWhen branches) {
    return computed(branches, Conditionals::values);
  }

  @Override
  public ColumnVector visit(DeviceExpr.Choice choice) {
    return computed(choice, Conditionals::values);
  }

  @Override
  public ColumnVector visit(Arithmetic arithmetic) {
    return arithmetic.left().type() instanceof DecimalType
        ? computed(arithmetic, DecimalArithmetic::values)
        : computed(arithmetic, NumberArithmetic::values);
  }

  @Override
  public ColumnVector visit(Unary unary) {
    return computed(unary, UnaryOperators::values);
  }

  @Override
  public ColumnVector visit(DeviceExpr.Cast cast) {
    return computed(cast, Casts::values);
  }

  @Override
  public ColumnVector visit(DateFunction function) {
    return computed(function, DateFunctions::values);
  }

  @Override
  public ColumnVector visit(StringFunction function) {
    return computed(function, StringFunctions::values);
  }

  @Override
  public ColumnVector visit(UnixTime function) {
    return computed(function, UnixTimes::values);
  }

  @Override
  public ColumnVector visit(TimeText function) {
    return computed(function, TimeTexts::values);
  }
}
