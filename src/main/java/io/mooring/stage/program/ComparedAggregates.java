package io.mooring.stage.program;

import io.mooring.expr.UnsupportedExpressionException;
import org.apache.spark.sql.catalyst.plans.logical.Aggregate;
import org.apache.spark.sql.catalyst.trees.TreeNodeTag;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.aggregate.BaseAggregateExec;

/**
 * Aggregates that a query may compare with another one of the same groups, computed from the same
 * rows a second time. Spark adds up doubles in the same order both times, the GPU does not.
 */
public final class ComparedAggregates {
  private static final TreeNodeTag<String> COMPARED = new TreeNodeTag<>("mooring.compared");

  private ComparedAggregates() {}

  /**
   * Leaves an aggregate to Spark.
   *
   * @param differs what would differ on the GPU, in words
   */
  public static void mark(Aggregate aggregate, String differs) {
    aggregate.setTagValue(COMPARED, differs);
  }

  /**
   * Checks that the GPU may compute an aggregate.
   *
   * @throws UnsupportedExpressionException when it is marked
   */
  static void check(BaseAggregateExec aggregate) throws UnsupportedExpressionException {
    String differs =
        ((SparkPlan) aggregate)
            .logicalLink()
            .flatMap(link -> link.getTagValue(COMPARED))
            .getOrElse(() -> null);
    if (differs != null) {
      throw new UnsupportedExpressionException(
          differs + ", which the query computes in another place too");
    }
  }
}
