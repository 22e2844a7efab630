package io.mooring.stage.program;

import io.mooring.catalyst.TreeNodes;
import io.mooring.expr.UnsupportedExpressionException;
import org.apache.spark.sql.catalyst.plans.logical.Aggregate;
import org.apache.spark.sql.catalyst.plans.logical.Join;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.trees.TreeNodeTag;
import org.apache.spark.sql.execution.SparkPlan;

/**
 * Aggregates that a query may compare with another one of the same groups, computed from the same
 * rows a second time. Spark adds up doubles in the same order both times. The GPU does not, and it
 * also gives the rows of joins and the groups of aggregates in any order.
 */
public final class ComparedResults {
  private static final TreeNodeTag<String> COMPARED = new TreeNodeTag<>("mooring.compared");

  private ComparedResults() {}

  /**
   * Leaves an aggregate to Spark, with the joins and aggregates that its rows come from.
   *
   * @param differs what would differ on the GPU, in words
   */
  public static void mark(Aggregate aggregate, String differs) {
    TreeNodes.forEach(
        (LogicalPlan) aggregate,
        node -> {
          if (node instanceof Aggregate || node instanceof Join) {
            node.setTagValue(COMPARED, differs);
          }
        });
  }

  /**
   * Checks that the GPU may compute an operator that does not give its results in Spark's order.
   *
   * @throws UnsupportedExpressionException when it is marked
   */
  static void check(SparkPlan operator) throws UnsupportedExpressionException {
    String differs =
        operator.logicalLink().flatMap(link -> link.getTagValue(COMPARED)).getOrElse(() -> null);
    if (differs != null) {
      throw new UnsupportedExpressionException(
          differs + ", which the query computes in another place too");
    }
  }
}
