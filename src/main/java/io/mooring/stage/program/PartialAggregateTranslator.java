package io.mooring.stage.program;

import static io.mooring.catalyst.ScalaLists.list;

import io.mooring.expr.CatalystTranslator;
import io.mooring.expr.DeviceExpr;
import io.mooring.expr.UnsupportedExpressionException;
import io.mooring.stage.program.BufferFunction.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.ExprId;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateExpression;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateFunction;
import org.apache.spark.sql.catalyst.expressions.aggregate.Average;
import org.apache.spark.sql.catalyst.expressions.aggregate.Count;
import org.apache.spark.sql.catalyst.expressions.aggregate.Max;
import org.apache.spark.sql.catalyst.expressions.aggregate.Min;
import org.apache.spark.sql.catalyst.expressions.aggregate.Partial$;
import org.apache.spark.sql.catalyst.expressions.aggregate.PartialMerge$;
import org.apache.spark.sql.catalyst.expressions.aggregate.StddevPop;
import org.apache.spark.sql.catalyst.expressions.aggregate.StddevSamp;
import org.apache.spark.sql.catalyst.expressions.aggregate.Sum;
import org.apache.spark.sql.catalyst.expressions.aggregate.VariancePop;
import org.apache.spark.sql.catalyst.expressions.aggregate.VarianceSamp;
import org.apache.spark.sql.execution.aggregate.BaseAggregateExec;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.NumericType;

/** Translates partial aggregates. Not thread-safe. */
final class PartialAggregateTranslator {
  private final CatalystTranslator translator;
  private final SubqueryResults subqueries;

  PartialAggregateTranslator(CatalystTranslator translator, SubqueryResults subqueries) {
    this.translator = translator;
    this.subqueries = subqueries;
  }

  /**
   * Whether an operator groups rows, or merges the buffers of some functions while it adds to those
   * of others, as the second step of DISTINCT aggregates does.
   */
  static boolean groups(BaseAggregateExec aggregate) {
    return aggregate.requiredChildDistributionExpressions().isEmpty()
        && list(aggregate.aggregateExpressions()).stream()
            .allMatch(it -> it.mode() == Partial$.MODULE$ || it.mode() == PartialMerge$.MODULE$)
        && !aggregate.isStreaming();
  }

  /** Whether an operator is a partial aggregate, whose groups Spark merges. */
  static boolean isPartial(BaseAggregateExec aggregate) {
    List<AggregateExpression> functions = list(aggregate.aggregateExpressions());
    // An aggregate without functions is partial if it does not require groups together.
    return aggregate.requiredChildDistributionExpressions().isEmpty()
        && functions.stream().allMatch(it -> it.mode() == Partial$.MODULE$ && !it.isDistinct())
        && !aggregate.isStreaming();
  }

  /**
   * The same aggregate for the device.
   *
   * @throws UnsupportedExpressionException for what the GPU would not compute exactly as Spark
   */
  GroupedAggregate translate(BaseAggregateExec aggregate) throws UnsupportedExpressionException {
    List<DeviceExpr> keys = new ArrayList<>();
    List<ExprId> output = new ArrayList<>();
    for (NamedExpression key : list(aggregate.groupingExpressions())) {
      checkFlat(key.toAttribute().dataType());
      keys.add(expr((Expression) key));
      output.add(key.exprId());
    }
    List<BufferFunction> functions = new ArrayList<>();
    for (AggregateExpression call : list(aggregate.aggregateExpressions())) {
      functions.add(function(call));
      list(call.aggregateFunction().inputAggBufferAttributes())
          .forEach(it -> output.add(it.exprId()));
    }
    checkOutput(aggregate, output);
    return new GroupedAggregate(keys, functions);
  }

  private static void checkOutput(BaseAggregateExec aggregate, List<ExprId> expected)
      throws UnsupportedExpressionException {
    List<ExprId> output =
        list(aggregate.resultExpressions()).stream().map(NamedExpression::exprId).toList();
    if (!output.equals(expected)) {
      throw new UnsupportedExpressionException("an unexpected order of results");
    }
  }

  /**
   * A function for the device.
   *
   * @throws UnsupportedExpressionException for what the GPU would not compute exactly as Spark
   */
  BufferFunction function(AggregateExpression call) throws UnsupportedExpressionException {
    AggregateFunction function = call.aggregateFunction();
    Kind kind = kind(function);
    List<DataType> buffers = new ArrayList<>();
    for (Attribute buffer : list(function.inputAggBufferAttributes())) {
      checkFlat(buffer.dataType());
      buffers.add(buffer.dataType());
    }
    boolean ansi =
        (kind == Kind.SUM || kind == Kind.DECIMAL_SUM || kind == Kind.AVERAGE)
            && !EvalModes.isLegacy(function);
    if (call.mode() == PartialMerge$.MODULE$) {
      return new BufferFunction(kind, placeholders(function), null, buffers, ansi, merged(call));
    }
    DeviceExpr filter = call.filter().isEmpty() ? null : expr(call.filter().get());
    return new BufferFunction(
        kind, inputs(kind, function), filter, buffers, ansi, BufferFunction.ADDED);
  }

  private List<DeviceExpr> inputs(Kind kind, AggregateFunction function)
      throws UnsupportedExpressionException {
    List<DeviceExpr> inputs = new ArrayList<>();
    for (Expression input : list(function.children())) {
      if (kind != Kind.COUNT || input.nullable()) {
        checkFlat(input.dataType());
        inputs.add(expr(input));
      }
    }
    return inputs;
  }

  /** Stand for inputs that were added up before; only their types count. */
  private static List<DeviceExpr> placeholders(AggregateFunction function) {
    return list(function.children()).stream()
        .<DeviceExpr>map(input -> new DeviceExpr.Literal(null, input.dataType()))
        .toList();
  }

  /** The ordinal of the first buffer; the others must follow it. */
  private int merged(AggregateExpression call) throws UnsupportedExpressionException {
    List<Integer> ordinals = new ArrayList<>();
    for (Attribute buffer : list(call.aggregateFunction().inputAggBufferAttributes())) {
      ordinals.add(((DeviceExpr.InputColumn) translator.translate(buffer)).ordinal());
    }
    for (int i = 0; i < ordinals.size(); i++) {
      if (ordinals.get(i) != ordinals.get(0) + i) {
        throw new UnsupportedExpressionException("an unexpected order of buffers");
      }
    }
    return ordinals.get(0);
  }

  static Kind kind(AggregateFunction function) throws UnsupportedExpressionException {
    DataType input = function.children().isEmpty() ? null : function.children().head().dataType();
    if (function instanceof Count) {
      return Kind.COUNT;
    } else if (function instanceof Min) {
      return Kind.MIN;
    } else if (function instanceof Max) {
      return Kind.MAX;
    } else if (isMoments(function) && Objects.equals(input, DataTypes.DoubleType)) {
      return Kind.MOMENTS;
    }
    boolean sums = function instanceof Sum || function instanceof Average;
    if (!sums || !(input instanceof NumericType) || EvalModes.isTry(function)) {
      throw new UnsupportedExpressionException("function " + function.prettyName());
    } else if (function instanceof Average) {
      return Kind.AVERAGE;
    }
    return input instanceof DecimalType ? Kind.DECIMAL_SUM : Kind.SUM;
  }

  private static boolean isMoments(AggregateFunction function) {
    return function instanceof StddevPop
        || function instanceof StddevSamp
        || function instanceof VariancePop
        || function instanceof VarianceSamp;
  }

  private DeviceExpr expr(Expression expression) throws UnsupportedExpressionException {
    return translator.translate(subqueries.in(unnamed(expression)));
  }

  private static Expression unnamed(Expression expression) {
    return expression instanceof org.apache.spark.sql.catalyst.expressions.Alias alias
        ? alias.child()
        : expression;
  }

  private static void checkFlat(DataType type) throws UnsupportedExpressionException {
    if (!StageScan.isFlat(type)) {
      throw new UnsupportedExpressionException("type " + type.sql());
    }
  }
}
