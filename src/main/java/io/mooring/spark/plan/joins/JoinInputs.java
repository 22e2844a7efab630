package io.mooring.spark.plan.joins;

import io.mooring.catalyst.ScalaLists;
import org.apache.spark.sql.catalyst.expressions.DynamicPruning;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.plans.logical.Aggregate;
import org.apache.spark.sql.catalyst.plans.logical.Filter;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;

/** What a side of a join is made of. */
final class JoinInputs {
  private JoinInputs() {}

  /** Whether its rows are the results of an aggregate. */
  static boolean areGroups(LogicalPlan plan) {
    return plan instanceof Aggregate
        || ((plan instanceof Project || plan instanceof Filter)
            && areGroups(plan.children().head()));
  }

  /** Whether files may be left out by values of a broadcast, which has to be one of Spark's. */
  static boolean prunePartitions(LogicalPlan plan) {
    return ScalaLists.<Expression>list(plan.expressions()).stream().anyMatch(JoinInputs::prunes)
        || ScalaLists.<LogicalPlan>list(plan.children()).stream().anyMatch(JoinInputs::prunePartitions);
  }

  private static boolean prunes(Expression expression) {
    return expression instanceof DynamicPruning
        || ScalaLists.<Expression>list(expression.children()).stream().anyMatch(JoinInputs::prunes);
  }
}
