package io.mooring.spark.plan.aggregates;

import io.mooring.catalyst.ScalaLists;
import io.mooring.catalyst.TreeNodes;
import java.util.List;
import org.apache.spark.sql.catalyst.plans.logical.Statistics;
import org.apache.spark.sql.execution.FilterExec;
import org.apache.spark.sql.execution.ProjectExec;
import org.apache.spark.sql.execution.SortExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.adaptive.ShuffleQueryStageExec;
import org.apache.spark.sql.execution.aggregate.BaseAggregateExec;

/**
 * Takes the exchange out of a sort of few rows, such as the groups that several executors have
 * exchanged. Spark would sample the rows in a job of its own, and sort them in a further stage. How
 * few they are has been measured: adaptive execution has run the stage below.
 */
final class SmallSorts {
  /** The bytes of rows that one task sorts in less time than a job and a stage take. */
  static final long MOST_BYTES = 4L << 20;

  private SmallSorts() {}

  /** The plan whose small sorts have one task each; itself when there is none. */
  static SparkPlan applied(SparkPlan plan) {
    if (plan instanceof SortExec sort && sort.global()) {
      SparkPlan exchange = sort.child();
      if (RemovableExchanges.isRemovable(exchange) && isSmall(exchange.children().head())) {
        SparkPlan rows = RemovableExchanges.coalesced(exchange.children().head());
        return plan.withNewChildren(ScalaLists.seq(List.of(rows)));
      }
    }
    return TreeNodes.mapChildren(plan, SmallSorts::applied);
  }

  /** Whether rows are those of a small stage that has run, or made of these without adding any. */
  private static boolean isSmall(SparkPlan rows) {
    if (rows instanceof ShuffleQueryStageExec stage) {
      return mayHaveFewerPartitions(stage) && stage.computeStats().exists(SmallSorts::isSmall);
    }
    boolean addsNone =
        rows instanceof BaseAggregateExec
            || rows instanceof ProjectExec
            || rows instanceof FilterExec
            || rows instanceof SortExec;
    return addsNone && isSmall(rows.children().head());
  }

  /** Whether the number of partitions is Spark's choice, and adaptive execution may lower it. */
  private static boolean mayHaveFewerPartitions(ShuffleQueryStageExec stage) {
    return RemovableExchanges.isOfRequirements(stage.shuffle())
        && stage.conf().coalesceShufflePartitionsEnabled();
  }

  private static boolean isSmall(Statistics measured) {
    return measured.sizeInBytes().toDouble() <= MOST_BYTES;
  }
}
