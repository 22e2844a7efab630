package io.mooring.catalyst;

import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.plans.logical.Aggregate;
import org.apache.spark.sql.catalyst.plans.logical.Filter;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.jspecify.annotations.Nullable;

/**
 * Constants that raise an error, as {@code 1/0} under ANSI in a branch that no row may reach. Spark
 * 4.1 computes them again and again, without end, when it translates an expression for a scan of
 * the second data source API.
 */
public final class FailingConstants {
  private FailingConstants() {}

  /**
   * Whether a filter or an aggregate of a plan has one; the columns of an aggregate may be below.
   */
  public static boolean arePushedDown(LogicalPlan plan) {
    boolean aggregates = plan.exists(Aggregate.class::isInstance);
    return plan.exists(
        node ->
            (aggregates || node instanceof Filter)
                && ScalaLists.<Expression>list(node.expressions()).stream()
                    .anyMatch(FailingConstants::areIn));
  }

  /** Whether an expression has one. */
  public static boolean areIn(Expression expression) {
    return expression.exists(part -> isConstant(part) && computed(part) == null);
  }

  /** Whether an expression is a constant that has yet to be computed. */
  public static boolean isConstant(Expression expression) {
    return expression.foldable() && !(expression instanceof Literal);
  }

  /** The value of a constant; null for one that fails. */
  public static @Nullable Literal computed(Expression constant) {
    try {
      return new Literal(constant.eval(null), constant.dataType());
    } catch (Exception | OutOfMemoryError e) {
      // Scala throws checked exceptions, too.
      return null;
    }
  }
}
