package io.mooring.stage.program;

import static io.mooring.catalyst.ScalaLists.list;

import io.mooring.catalyst.ScalaLists;
import io.mooring.catalyst.TreeNodes;
import io.mooring.expr.CatalystTranslator;
import io.mooring.expr.UnsupportedExpressionException;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateExpression;
import org.apache.spark.sql.catalyst.plans.logical.Aggregate;
import org.apache.spark.sql.catalyst.plans.logical.Filter;
import org.apache.spark.sql.catalyst.plans.logical.Join;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.catalyst.plans.logical.Union;
import org.apache.spark.sql.catalyst.plans.logical.Window;
import org.apache.spark.sql.catalyst.plans.logical.WindowGroupLimit;

/**
 * Recognizes aggregates of build sides that the GPU is expected to compute as a whole. One task of
 * each executor would merge others on one core, which takes longer than an exchange.
 */
public final class SupportedAggregates {
  private SupportedAggregates() {}

  /** Whether the GPU supports an aggregate with keys and the plan below it. */
  public static boolean supports(Aggregate aggregate) {
    return !aggregate.groupingExpressions().isEmpty() && supportsAll(aggregate);
  }

  /** Whether the GPU supports the plan below an operator. */
  public static boolean supportsBelow(LogicalPlan plan) {
    try {
      checkBelow(plan);
      return true;
    } catch (UnsupportedExpressionException e) {
      return false;
    }
  }

  /** Whether the GPU supports an aggregate, with keys or without, and the plan below it. */
  public static boolean supportsAll(Aggregate aggregate) {
    try {
      List<AggregateExpression> calls = calls(aggregate);
      List<Expression> inputs =
          new ArrayList<>(ScalaLists.<Expression>list(aggregate.groupingExpressions()));
      for (AggregateExpression call : calls) {
        PartialAggregateTranslator.kind(call.aggregateFunction());
        inputs.addAll(ScalaLists.<Expression>list(call.aggregateFunction().children()));
        inputs.addAll(ScalaLists.<Expression>list(call.filter().toList()));
      }
      check(inputs, List.of(aggregate.child()));
      checkResults(aggregate, calls);
      checkBelow(aggregate.child());
      return calls.stream().noneMatch(AggregateExpression::isDistinct);
    } catch (UnsupportedExpressionException e) {
      return false;
    }
  }

  /** Checks what an aggregate computes of its keys and of the results of functions. */
  private static void checkResults(Aggregate aggregate, List<AggregateExpression> calls)
      throws UnsupportedExpressionException {
    List<Attribute> columns = new ArrayList<>(list(aggregate.child().output()));
    calls.forEach(call -> columns.add(call.resultAttribute()));
    CatalystTranslator translator = new CatalystTranslator(columns);
    for (var result : list(aggregate.aggregateExpressions())) {
      translator.translate(
          TreeNodes.replaced(
              (Expression) result,
              it -> it instanceof AggregateExpression call ? call.resultAttribute() : null));
    }
  }

  private static List<AggregateExpression> calls(Aggregate aggregate) {
    List<AggregateExpression> calls = new ArrayList<>();
    for (var result : list(aggregate.aggregateExpressions())) {
      collect((Expression) result, calls);
    }
    return calls;
  }

  private static void collect(Expression expression, List<AggregateExpression> calls) {
    if (expression instanceof AggregateExpression call) {
      calls.add(call);
    } else {
      ScalaLists.<Expression>list(expression.children()).forEach(child -> collect(child, calls));
    }
  }

  private static void checkBelow(LogicalPlan plan) throws UnsupportedExpressionException {
    if (plan instanceof Filter
        || plan instanceof Project
        || plan instanceof Join
        || plan instanceof Union) {
      check(list(plan.expressions()), ScalaLists.list(plan.children()));
      for (LogicalPlan child : ScalaLists.<LogicalPlan>list(plan.children())) {
        checkBelow(child);
      }
    } else if (plan instanceof Aggregate aggregate && !supports(aggregate)) {
      throw new UnsupportedExpressionException("an aggregate of an aggregate");
    } else if (plan instanceof Window window) {
      if (!SupportedWindows.supports(window)) {
        throw new UnsupportedExpressionException("a window");
      }
      checkBelow(window.child());
    } else if (plan instanceof WindowGroupLimit) {
      checkBelow(plan.children().head());
    }
  }

  /** Whether the GPU computes an expression over the columns of a plan. */
  public static boolean supports(Expression expression, LogicalPlan plan) {
    try {
      check(List.of(expression), List.of(plan));
      return true;
    } catch (UnsupportedExpressionException e) {
      return false;
    }
  }

  private static void check(List<Expression> expressions, List<LogicalPlan> inputs)
      throws UnsupportedExpressionException {
    List<Attribute> columns =
        inputs.stream().flatMap(it -> ScalaLists.<Attribute>list(it.output()).stream()).toList();
    CatalystTranslator translator = new CatalystTranslator(columns);
    for (Expression expression : expressions) {
      translator.translate(expression);
    }
  }
}
