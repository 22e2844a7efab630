package io.mooring.stage.program;

import io.mooring.catalyst.ScalaLists;
import io.mooring.catalyst.TreeNodes;
import io.mooring.expr.CatalystTranslator;
import io.mooring.expr.UnsupportedExpressionException;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.AttributeReference;
import org.apache.spark.sql.catalyst.expressions.Cast;
import org.apache.spark.sql.catalyst.expressions.Divide;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.MakeDecimal;
import org.apache.spark.sql.catalyst.expressions.NamedExpression$;
import org.apache.spark.sql.catalyst.expressions.UnscaledValue;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateExpression;
import org.apache.spark.sql.catalyst.plans.logical.Aggregate;
import org.apache.spark.sql.catalyst.plans.logical.Filter;
import org.apache.spark.sql.catalyst.plans.logical.Join;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.types.Metadata;
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
    return columns.stream().anyMatch(it -> resultMayRaise((Expression) it));
  }

  /** Whether an expression over results of aggregate functions may raise an error. */
  static boolean resultMayRaise(Expression expression) {
    Expression overResults = TreeNodes.replaced(expression, RaisedErrors::result);
    return !(overResults instanceof Attribute) && mayRaise(overResults);
  }

  /** A column that stands for the result of an aggregate function. */
  private static @Nullable Expression result(Expression expression) {
    return isResult(expression)
        ? new AttributeReference(
            "result",
            expression.dataType(),
            true,
            Metadata.empty(),
            NamedExpression$.MODULE$.newExprId(),
            ScalaLists.seq(List.of()))
        : null;
  }

  /**
   * An aggregate function; over decimals of few digits also what Spark's rule {@code
   * DecimalAggregates} wraps around one over their unscaled values, which always fits its type.
   */
  private static boolean isResult(Expression expression) {
    if (expression instanceof MakeDecimal sum) {
      return isOverUnscaled(sum.child());
    } else if (expression instanceof Cast cast && cast.child() instanceof Divide average) {
      return isOverUnscaled(average.left()) && average.right() instanceof Literal;
    }
    return expression instanceof AggregateExpression;
  }

  private static boolean isOverUnscaled(Expression expression) {
    return expression instanceof AggregateExpression function
        && function
            .aggregateFunction()
            .children()
            .headOption()
            .exists(UnscaledValue.class::isInstance);
  }
}
