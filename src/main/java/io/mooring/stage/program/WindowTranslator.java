package io.mooring.stage.program;

import io.mooring.catalyst.TreeNodes;
import io.mooring.expr.CatalystTranslator;
import io.mooring.expr.DeviceExpr;
import io.mooring.expr.DeviceExpr.InputColumn;
import io.mooring.expr.UnsupportedExpressionException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.catalyst.expressions.UnscaledValue;
import org.apache.spark.sql.catalyst.expressions.WindowExpression;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateExpression;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateFunction;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.FloatType;
import org.apache.spark.sql.types.LongType;

/**
 * Translates window functions: aggregates of whole partitions, and ranks and aggregates from the
 * first row of a partition to the current one. Of rows that are equal by the keys of a window, any
 * may come first, as in Spark. Not thread-safe.
 */
final class WindowTranslator {
  private final List<Attribute> columns;
  private final CatalystTranslator translator;
  private final SubqueryResults subqueries;
  private final List<RowOperator> operators = new ArrayList<>();
  // The columns and, after them, the results of functions.
  private final List<Attribute> named;

  WindowTranslator(List<Attribute> columns, SubqueryResults subqueries) {
    this.columns = columns;
    this.translator = new CatalystTranslator(columns);
    this.subqueries = subqueries;
    this.named = new ArrayList<>(columns);
  }

  /**
   * The operators that add columns.
   *
   * @param added the columns
   * @throws UnsupportedExpressionException for what the GPU would not compute exactly as Spark
   */
  List<RowOperator> translate(
      List<NamedExpression> added, List<Expression> partition, List<SortOrder> order)
      throws UnsupportedExpressionException {
    Map<WindowFrame, List<WindowExpression>> byWindowFrame = new HashMap<>();
    for (NamedExpression column : added) {
      for (WindowExpression window : functions((Expression) column)) {
        byWindowFrame
            .computeIfAbsent(WindowFrame.of(window), frame -> new ArrayList<>())
            .add(window);
      }
    }
    Map<WindowExpression, Attribute> results = new HashMap<>();
    List<DeviceExpr> keys = keys(partition);
    for (WindowFrame frame : WindowFrame.values()) {
      List<WindowExpression> windows = byWindowFrame.getOrDefault(frame, List.of());
      if (!windows.isEmpty()) {
        operators.add(
            frame == WindowFrame.WHOLE
                ? whole(keys, order, windows)
                : running(frame, keys, order, windows));
        for (WindowExpression window : windows) {
          Attribute result = TreeNodes.alias(window, "window").toAttribute();
          named.add(result);
          results.put(window, result);
        }
      }
    }
    operators.add(new RowOperator.Project(output(added, results)));
    return operators;
  }

  private static List<WindowExpression> functions(Expression column) {
    List<WindowExpression> functions = new ArrayList<>();
    TreeNodes.forEach(
        column,
        it -> {
          if (it instanceof WindowExpression window) {
            functions.add(window);
          }
        });
    return functions;
  }

  /** The columns, and what is computed of the results of functions. */
  private List<DeviceExpr> output(
      List<NamedExpression> added, Map<WindowExpression, Attribute> results)
      throws UnsupportedExpressionException {
    CatalystTranslator translator = new CatalystTranslator(named);
    List<DeviceExpr> output = new ArrayList<>(inputColumns(columns.size()));
    for (NamedExpression column : added) {
      output.add(
          translator.translate(
              subqueries.in(TreeNodes.replaced((Expression) column, results::get))));
    }
    return output;
  }

  private List<InputColumn> inputColumns(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> new InputColumn(i, named.get(i).dataType()))
        .toList();
  }

  private List<DeviceExpr> keys(List<Expression> partition) throws UnsupportedExpressionException {
    List<DeviceExpr> keys = new ArrayList<>();
    for (Expression key : partition) {
      TopTranslator.checkOrdered(key.dataType());
      keys.add(translator.translate(subqueries.in(key)));
    }
    return keys;
  }

  private List<DataType> input() {
    return named.stream().map(Attribute::dataType).toList();
  }

  private WindowOperator whole(
      List<DeviceExpr> keys, List<SortOrder> ordered, List<WindowExpression> windows)
      throws UnsupportedExpressionException {
    PartialAggregateTranslator aggregates = new PartialAggregateTranslator(translator, subqueries);
    List<BufferFunction> functions = new ArrayList<>();
    List<DeviceExpr> results = new ArrayList<>();
    int at = keys.size();
    for (WindowExpression window : windows) {
      AggregateExpression call = (AggregateExpression) window.windowFunction();
      checkExact(call.aggregateFunction(), !ordered.isEmpty());
      BufferFunction function = aggregates.function(call);
      functions.add(function);
      results.add(FinalAggregateTranslator.result(call.aggregateFunction(), at));
      at += function.buffers().size();
    }
    return new WindowOperator.Whole(new GroupedAggregate(keys, functions), results, input());
  }

  private WindowOperator running(
      WindowFrame frame,
      List<DeviceExpr> partition,
      List<SortOrder> order,
      List<WindowExpression> windows)
      throws UnsupportedExpressionException {
    if (order.isEmpty()) {
      throw new UnsupportedExpressionException("a running window without an order");
    }
    RunningFunctions functions = new RunningFunctions(translator, subqueries, named.size());
    for (WindowExpression window : windows) {
      if (window.windowFunction() instanceof AggregateExpression call) {
        checkExact(call.aggregateFunction(), true);
      }
      functions.add(window.windowFunction());
    }
    RowOperator.Top sorted = new TopTranslator(translator, subqueries).sorted(order);
    return new WindowOperator.Running(
        partition,
        sorted.keys(),
        sorted.orders(),
        functions.scans(),
        frame == WindowFrame.RUNNING_PEERS,
        functions.results(),
        input());
  }

  /**
   * Refuses functions whose results depend on the order in which values are added up.
   *
   * @param ordered whether the window decides in which order Spark adds them up
   */
  private static void checkExact(AggregateFunction function, boolean ordered)
      throws UnsupportedExpressionException {
    BufferFunction.Kind kind = PartialAggregateTranslator.kind(function);
    if (kind == BufferFunction.Kind.COUNT) {
      return;
    }
    Expression input = function.children().head();
    DataType type = input.dataType();
    boolean longs = type instanceof LongType && !(input instanceof UnscaledValue);
    // Spark adds up doubles for the average of integers, also of short decimals.
    boolean doubles = kind == BufferFunction.Kind.AVERAGE && !(type instanceof DecimalType);
    if (type instanceof FloatType
        || type instanceof DoubleType
        || (doubles && (longs || ordered))) {
      throw new UnsupportedExpressionException(
          "window function " + function.prettyName() + " of type " + type.sql());
    }
  }
}
