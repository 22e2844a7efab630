package io.mooring.stage.program;

import io.mooring.catalyst.ScalaLists;
import io.mooring.catalyst.TreeNodes;
import io.mooring.expr.CatalystTranslator;
import io.mooring.expr.UnsupportedExpressionException;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateExpression;
import org.apache.spark.sql.catalyst.plans.logical.Aggregate;
import org.apache.spark.sql.catalyst.plans.logical.Filter;
import org.apache.spark.sql.catalyst.plans.logical.Join;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.jspecify.annotations.Nullable;

/** Which expressions may raise an error for a row, such as a division by zero in ANSI mode. */
public final class RaisedErrors {
  private RaisedErrors() {}

  /** Whether an expression may raise an error; true of those that the GPU does not evaluate. */
  static boolean mayRaise(Expression expression) {
    List<Attribute> columns = ScalaLists.list(expression.references().toSeq());
    Expression translated = SubqueryResults.EXPECTED.in(expression);
    try {
      return new CatalystTranslator(columns).translate(translated).canRaise();
    } catch (UnsupportedExpressionException e) {
      return true;
    }
  }

  /**
   * Whether a column that a plan computes may raise an error. Generated code computes the columns
   * of projections, and those of groups, where an operator above uses them: for the rows that are
   * left then.
   */
  public static boolean mayRaise(LogicalPlan plan) {
    if (plan instanceof Project project) {
      return anyRaises(ScalaLists.list(project.projectList())) || mayRaise(project.child());
    } else if (plan instanceof Aggregate aggregate) {
      return anyRaises(ScalaLists.list(aggregate.aggregateExpressions()));
    }
    return (plan instanceof Filter || plan instanceof Join)
        && ScalaLists.<LogicalPlan>list(plan.children()).stream().anyMatch(RaisedErrors::mayRaise);
  }

  private static boolean anyRaises(List<? extends Object> columns) {
    return columns.stream()
        .map(it -> TreeNodes.replaced((Expression) it, RaisedErrors::result))
        .anyMatch(it -> !(it instanceof Attribute) && mayRaise(it));
  }

  /** The attribute that stands for the result of an aggregate function. */
  private static @Nullable Expression result(Expression expression) {
    return expression instanceof AggregateExpression function ? function.resultAttribute() : null;
  }
}
