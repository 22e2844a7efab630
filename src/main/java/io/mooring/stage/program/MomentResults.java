package io.mooring.stage.program;

import io.mooring.expr.Arithmetic;
import io.mooring.expr.DeviceExpr;
import io.mooring.expr.DeviceExpr.CaseWhen;
import io.mooring.expr.DeviceExpr.Comparison;
import io.mooring.expr.DeviceExpr.InputColumn;
import io.mooring.expr.DeviceExpr.Literal;
import io.mooring.expr.DeviceExpr.Mode;
import io.mooring.expr.Unary;
import io.mooring.expr.UnsupportedExpressionException;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateFunction;
import org.apache.spark.sql.catalyst.expressions.aggregate.StddevPop;
import org.apache.spark.sql.catalyst.expressions.aggregate.StddevSamp;
import org.apache.spark.sql.catalyst.expressions.aggregate.VariancePop;
import org.apache.spark.sql.catalyst.expressions.aggregate.VarianceSamp;
import org.apache.spark.sql.types.DataTypes;

/** The results of variances out of count, mean and sum of squared differences from the mean. */
final class MomentResults {
  private MomentResults() {}

  /**
   * The result of a function, null for no values.
   *
   * @param at the ordinal of the first buffer
   */
  static DeviceExpr of(AggregateFunction function, int at) throws UnsupportedExpressionException {
    DeviceExpr count = new InputColumn(at, DataTypes.DoubleType);
    DeviceExpr squares = new InputColumn(at + 2, DataTypes.DoubleType);
    boolean ofSample = function instanceof StddevSamp || function instanceof VarianceSamp;
    if (!ofSample && !(function instanceof StddevPop) && !(function instanceof VariancePop)) {
      throw new UnsupportedExpressionException("function " + function.prettyName());
    }
    DeviceExpr divisor =
        ofSample ? arithmetic(Arithmetic.Operator.SUBTRACT, count, literal(1)) : count;
    DeviceExpr variance = arithmetic(Arithmetic.Operator.DIVIDE, squares, divisor);
    DeviceExpr result =
        function instanceof StddevPop || function instanceof StddevSamp
            ? new Unary(Unary.Operator.SQRT, variance, DataTypes.DoubleType, Mode.LEGACY)
            : variance;
    DeviceExpr none = new Literal(null, DataTypes.DoubleType);
    return ofSample
        ? new CaseWhen(
            List.of(is(count, 0), is(count, 1)), List.of(none, ofOneValue(function)), result)
        : new CaseWhen(List.of(is(count, 0)), List.of(none), result);
  }

  /** What Spark gives for the variance of a sample of one value. */
  private static DeviceExpr ofOneValue(AggregateFunction function) {
    boolean isNull =
        function instanceof StddevSamp stddev
            ? stddev.nullOnDivideByZero()
            : ((VarianceSamp) function).nullOnDivideByZero();
    return new Literal(isNull ? null : Double.NaN, DataTypes.DoubleType);
  }

  private static DeviceExpr arithmetic(
      Arithmetic.Operator operator, DeviceExpr left, DeviceExpr right) {
    return new Arithmetic(operator, left, right, DataTypes.DoubleType, Mode.LEGACY);
  }

  private static DeviceExpr is(DeviceExpr value, double number) {
    return new Comparison(Comparison.Operator.EQUAL, value, literal(number));
  }

  private static Literal literal(double value) {
    return new Literal(value, DataTypes.DoubleType);
  }
}
