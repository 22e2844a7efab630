package io.mooring.stage.program;

import static io.mooring.catalyst.ScalaLists.list;

import io.mooring.expr.CatalystTranslator;
import io.mooring.expr.DeviceExpr;
import io.mooring.expr.DeviceExpr.CaseWhen;
import io.mooring.expr.DeviceExpr.Cast;
import io.mooring.expr.DeviceExpr.Choice;
import io.mooring.expr.DeviceExpr.InputColumn;
import io.mooring.expr.DeviceExpr.Literal;
import io.mooring.expr.DeviceExpr.Mode;
import io.mooring.expr.Unary;
import io.mooring.expr.UnsupportedExpressionException;
import io.mooring.stage.program.WindowOperator.Scan;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.DenseRank;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Rank;
import org.apache.spark.sql.catalyst.expressions.UnscaledValue;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateExpression;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateFunction;
import org.apache.spark.sql.catalyst.expressions.aggregate.Average;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.IntegralType;
import org.jspecify.annotations.Nullable;

/**
 * Window functions over the rows up to the current one, by prefix scans: a sum and a count of
 * values give an average, for example. Not thread-safe.
 */
final class RunningFunctions {
  // Sums of 2^31 values need ten more digits.
  private static final int MOST_SUMMED_DIGITS = DecimalType.MAX_PRECISION() - 10;

  private final CatalystTranslator translator;
  private final SubqueryResults subqueries;
  private final int first;
  private final List<Scan> scans = new ArrayList<>();
  private final List<DeviceExpr> results = new ArrayList<>();

  /**
   * @param first the ordinal of the first scan among the columns of the results
   */
  RunningFunctions(CatalystTranslator translator, SubqueryResults subqueries, int first) {
    this.translator = translator;
    this.subqueries = subqueries;
    this.first = first;
  }

  List<Scan> scans() {
    return scans;
  }

  /** The results of the functions over the columns and the scans. */
  List<DeviceExpr> results() {
    return results;
  }

  /**
   * Adds a function.
   *
   * @throws UnsupportedExpressionException for what the GPU would not compute exactly as Spark
   */
  void add(Expression function) throws UnsupportedExpressionException {
    if (function instanceof AggregateExpression call) {
      results.add(result(call.aggregateFunction()));
    } else if (function instanceof Rank) {
      results.add(scan(Scan.Kind.RANK, null, DataTypes.IntegerType));
    } else if (function instanceof DenseRank) {
      results.add(scan(Scan.Kind.DENSE_RANK, null, DataTypes.IntegerType));
    } else {
      results.add(new Cast(countOf(List.of()), DataTypes.IntegerType, Mode.LEGACY));
    }
  }

  private DeviceExpr result(AggregateFunction function) throws UnsupportedExpressionException {
    BufferFunction.Kind kind = PartialAggregateTranslator.kind(function);
    List<Expression> inputs = list(function.children());
    return switch (kind) {
      case COUNT -> countOf(inputs);
      case SUM, DECIMAL_SUM -> nullForNone(inputs.get(0), sum(inputs.get(0), function.dataType()));
      case AVERAGE -> average((Average) function);
      case MIN -> extreme(Scan.Kind.MIN, inputs.get(0));
      case MAX -> extreme(Scan.Kind.MAX, inputs.get(0));
      case MOMENTS -> throw new UnsupportedExpressionException("function " + function.prettyName());
    };
  }

  private DeviceExpr average(Average function) throws UnsupportedExpressionException {
    Expression input = function.child();
    DataType buffer = list(function.inputAggBufferAttributes()).get(0).dataType();
    return FinalAggregateTranslator.average(function, sum(input, buffer), countOf(List.of(input)));
  }

  private DeviceExpr extreme(Scan.Kind kind, Expression input)
      throws UnsupportedExpressionException {
    TopTranslator.checkOrdered(input.dataType());
    if (input.dataType() instanceof BooleanType) {
      throw new UnsupportedExpressionException("running extreme of type BOOLEAN");
    }
    return scan(kind, expr(input), input.dataType());
  }

  /** The sum of values, zero for none. */
  private DeviceExpr sum(Expression input, DataType type) throws UnsupportedExpressionException {
    if (!fits(input)) {
      throw new UnsupportedExpressionException("running sum of type " + input.dataType().sql());
    }
    DeviceExpr values = new Cast(expr(input), type, Mode.LEGACY);
    Literal zero = new Literal(BufferFunction.zero(type), type);
    return scan(Scan.Kind.SUM, new Choice(Choice.Kind.FIRST, List.of(values, zero)), type);
  }

  /** Whether no sum of as many values as a device table can have overflows. */
  private static boolean fits(Expression input) {
    DataType type = input.dataType();
    return type instanceof DecimalType decimal
        ? decimal.precision() <= MOST_SUMMED_DIGITS
        : input instanceof UnscaledValue
            || (type instanceof IntegralType && type.defaultSize() <= Integer.BYTES);
  }

  private DeviceExpr nullForNone(Expression input, DeviceExpr sum)
      throws UnsupportedExpressionException {
    return input.nullable()
        ? FinalAggregateTranslator.nullForCountOfZero(countOf(List.of(input)), sum)
        : sum;
  }

  /** The number of rows without a null input. */
  private DeviceExpr countOf(List<Expression> inputs) throws UnsupportedExpressionException {
    List<DeviceExpr> nulls = new ArrayList<>();
    List<DeviceExpr> zeros = new ArrayList<>();
    for (Expression input : inputs) {
      if (input.nullable()) {
        nulls.add(
            new Unary(Unary.Operator.IS_NULL, expr(input), DataTypes.BooleanType, Mode.LEGACY));
        zeros.add(new Literal(0L, DataTypes.LongType));
      }
    }
    Literal one = new Literal(1L, DataTypes.LongType);
    return scan(
        Scan.Kind.SUM, nulls.isEmpty() ? one : new CaseWhen(nulls, zeros, one), DataTypes.LongType);
  }

  private DeviceExpr scan(Scan.Kind kind, @Nullable DeviceExpr input, DataType type) {
    Scan scan = new Scan(kind, input, type);
    int at = scans.indexOf(scan);
    if (at < 0) {
      at = scans.size();
      scans.add(scan);
    }
    return new InputColumn(first + at, type);
  }

  private DeviceExpr expr(Expression expression) throws UnsupportedExpressionException {
    return translator.translate(subqueries.in(expression));
  }
}
