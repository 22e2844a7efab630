package io.mooring.spark.plan;

import io.mooring.catalyst.TreeNodes;
import java.util.Comparator;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.plans.logical.Filter;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;

/**
 * Restores the order of conditions. Spark's push-down moves those without a V2 form, and those with
 * sub-queries, behind the others. But a condition may guard the next one from values for which that
 * one fails.
 */
final class ConditionOrder {
  private ConditionOrder() {}

  /**
   * A plan whose filter right above the relation has the conditions in another order.
   *
   * @param plan a chain of nodes over a relation
   * @param conditions in their order; a condition that is not among them comes last
   */
  static LogicalPlan restored(LogicalPlan plan, List<Expression> conditions) {
    for (LogicalPlan node = plan; !node.children().isEmpty(); node = node.children().head()) {
      if (node instanceof Filter filter && filter.child().children().isEmpty()) {
        List<Expression> sorted =
            TreeNodes.conjuncts(filter.condition()).stream()
                .sorted(Comparator.comparingInt(condition -> place(condition, conditions)))
                .toList();
        return TreeNodes.replaceEnd(plan, filter, TreeNodes.filtered(filter.child(), sorted));
      }
    }
    return plan;
  }

  private static int place(Expression condition, List<Expression> conditions) {
    for (int i = 0; i < conditions.size(); i++) {
      if (isSame(condition, conditions.get(i))) {
        return i;
      }
    }
    return conditions.size();
  }

  /** Ordinals of fields differ where the scan reads fewer fields of a struct. */
  private static boolean isSame(Expression one, Expression other) {
    return one.semanticEquals(other) || one.sql().equals(other.sql());
  }
}
