package io.mooring.stage.program;

import static io.mooring.catalyst.ScalaLists.list;

import io.mooring.expr.Arithmetic;
import io.mooring.expr.CatalystTranslator;
import io.mooring.expr.DeviceExpr;
import io.mooring.expr.DeviceExpr.CaseWhen;
import io.mooring.expr.DeviceExpr.Comparison;
import io.mooring.expr.DeviceExpr.InputColumn;
import io.mooring.expr.DeviceExpr.Literal;
import io.mooring.expr.DeviceExpr.Mode;
import io.mooring.expr.UnsupportedExpressionException;
import io.mooring.stage.program.BufferFunction.Kind;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.ExprId;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateExpression;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateFunction;
import org.apache.spark.sql.catalyst.expressions.aggregate.Final$;
import org.apache.spark.sql.catalyst.expressions.aggregate.PartialMerge$;
import org.apache.spark.sql.execution.aggregate.BaseAggregateExec;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.DoubleType;

/** Translates final aggregates over merged groups. Not thread-safe. */
final class FinalAggregateTranslator {
  // Spark's type of a count by which it divides a decimal sum.
  private static final DecimalType COUNT = new DecimalType(20, 0);

  private final List<Attribute> columns;
  private final SubqueryResults subqueries;

  /**
   * @param columns keys and buffers, as the partial aggregate gives them
   */
  FinalAggregateTranslator(List<Attribute> columns, SubqueryResults subqueries) {
    this.columns = columns;
    this.subqueries = subqueries;
  }

  /** Whether an operator is a final aggregate, over buffers only. */
  static boolean isFinal(BaseAggregateExec aggregate) {
    // An aggregate without functions is final if it requires groups together.
    return aggregate.requiredChildDistributionExpressions().isDefined()
        && list(aggregate.aggregateExpressions()).stream()
            .allMatch(it -> it.mode() == Final$.MODULE$);
  }

  /**
   * Whether an operator only merges the groups of its child, as the first step above an exchange of
   * DISTINCT aggregates does.
   */
  static boolean isMerge(BaseAggregateExec aggregate) {
    return aggregate.requiredChildDistributionExpressions().isDefined()
        && !aggregate.aggregateExpressions().isEmpty()
        && list(aggregate.aggregateExpressions()).stream()
            .allMatch(it -> it.mode() == PartialMerge$.MODULE$);
  }

  /**
   * Checks that a merge of groups that are merged already leaves them as they are.
   *
   * @throws UnsupportedExpressionException when it would give other columns
   */
  void checkMerge(BaseAggregateExec aggregate) throws UnsupportedExpressionException {
    List<NamedExpression> results = list(aggregate.resultExpressions());
    for (int i = 0; i < results.size(); i++) {
      check(results.get(i).exprId(), i);
    }
  }

  /**
   * The projections of merged groups to the results.
   *
   * @throws UnsupportedExpressionException for what the GPU would not compute exactly as Spark
   */
  List<RowOperator> translate(BaseAggregateExec aggregate) throws UnsupportedExpressionException {
    List<DeviceExpr> values = new ArrayList<>();
    List<Attribute> named = new ArrayList<>();
    for (NamedExpression key : list(aggregate.groupingExpressions())) {
      check(key.exprId(), values.size());
      values.add(new InputColumn(values.size(), key.toAttribute().dataType()));
      named.add(key.toAttribute());
    }
    int first = values.size();
    for (AggregateExpression call : list(aggregate.aggregateExpressions())) {
      AggregateFunction function = call.aggregateFunction();
      List<Attribute> buffers = list(function.inputAggBufferAttributes());
      for (int i = 0; i < buffers.size(); i++) {
        check(buffers.get(i).exprId(), first + i);
      }
      values.add(result(function, first));
      first += buffers.size();
    }
    named.addAll(list(aggregate.aggregateAttributes()));
    return List.of(
        new RowOperator.Project(values), new RowOperator.Project(results(aggregate, named)));
  }

  /** Checks that a column is at an ordinal of the groups. */
  private void check(ExprId column, int at) throws UnsupportedExpressionException {
    if (at >= columns.size() || !columns.get(at).exprId().equals(column)) {
      throw new UnsupportedExpressionException("an unexpected order of buffers");
    }
  }

  private List<DeviceExpr> results(BaseAggregateExec aggregate, List<Attribute> named)
      throws UnsupportedExpressionException {
    CatalystTranslator translator = new CatalystTranslator(named);
    List<DeviceExpr> results = new ArrayList<>();
    for (NamedExpression result : list(aggregate.resultExpressions())) {
      results.add(translator.translate(subqueries.in((Expression) result)));
    }
    return results;
  }

  /**
   * The result of a function out of its buffers.
   *
   * @param at the ordinal of the first buffer
   */
  static DeviceExpr result(AggregateFunction function, int at)
      throws UnsupportedExpressionException {
    Kind kind = PartialAggregateTranslator.kind(function);
    DataType first = list(function.inputAggBufferAttributes()).get(0).dataType();
    InputColumn buffer = new InputColumn(at, first);
    return switch (kind) {
      case COUNT, MIN, MAX -> buffer;
      case SUM -> sum(buffer);
      case DECIMAL_SUM -> nullWhere(new InputColumn(at + 1, DataTypes.BooleanType), buffer);
      case AVERAGE -> average(function, sum(buffer), new InputColumn(at + 1, DataTypes.LongType));
      case MOMENTS -> MomentResults.of(function, at);
    };
  }

  /** A sum as Spark gives it, which adds numbers to 0.0, so that a sum of -0.0 alone is 0.0. */
  private static DeviceExpr sum(DeviceExpr buffer) {
    return buffer.type() instanceof DoubleType
        ? new Arithmetic(
            Arithmetic.Operator.ADD,
            buffer,
            new Literal(0.0, DataTypes.DoubleType),
            DataTypes.DoubleType,
            Mode.LEGACY)
        : buffer;
  }

  /** An average out of a sum and a count, as Spark divides them; null for a count of zero. */
  static DeviceExpr average(AggregateFunction function, DeviceExpr sum, DeviceExpr count)
      throws UnsupportedExpressionException {
    boolean decimal = sum.type() instanceof DecimalType;
    Mode mode = EvalModes.isLegacy(function) ? Mode.LEGACY : Mode.ANSI;
    DeviceExpr divisor = new DeviceExpr.Cast(count, decimal ? COUNT : DataTypes.DoubleType, mode);
    DeviceExpr quotient =
        new Arithmetic(Arithmetic.Operator.DIVIDE, sum, divisor, function.dataType(), mode);
    return nullForCountOfZero(count, quotient);
  }

  /** A value, or null where a count is zero. */
  static DeviceExpr nullForCountOfZero(DeviceExpr count, DeviceExpr value) {
    DeviceExpr none =
        new Comparison(Comparison.Operator.EQUAL, count, new Literal(0L, DataTypes.LongType));
    return nullWhere(none, value);
  }

  private static DeviceExpr nullWhere(DeviceExpr condition, DeviceExpr value) {
    return new CaseWhen(List.of(condition), List.of(new Literal(null, value.type())), value);
  }
}
