package io.mooring.spark.plan.stages;

import io.mooring.stage.program.FinalStageChain;
import io.mooring.stage.replicated.ReplicatedExec;
import org.apache.spark.sql.execution.SortExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.exchange.Exchange;
import org.jspecify.annotations.Nullable;

/**
 * What is above a node of a plan.
 *
 * @param parent null at the top of a query or of the build side of a full outer join
 * @param anyOrder whether nothing above relies on the order of the node's rows
 */
record Above(@Nullable SparkPlan parent, boolean anyOrder) {
  /** The result of a query, or the end of one of its stages, has the order of the node. */
  static final Above NOTHING = new Above(null, false);

  static Above of(SparkPlan parent) {
    return new Above(parent, losesOrder(parent));
  }

  /**
   * What is above a node that makes the groups of a final stage, which merges them in any order.
   */
  static Above ofGroups(SparkPlan parent) {
    return new Above(parent, true);
  }

  /** What is above a build side whose rows a final stage takes in any order. */
  static Above ofBuildSide() {
    return new Above(null, true);
  }

  /** Whether the node is a build side that each executor reads itself. */
  boolean isBuildSide() {
    return parent instanceof ReplicatedExec;
  }

  /** The operator that takes the node's rows in the same task; null at the end of a query stage. */
  @Nullable SparkPlan operator() {
    return parent == null || losesOrder(parent) || FinalStageChain.gathers(parent) ? null : parent;
  }

  private static boolean losesOrder(SparkPlan parent) {
    return parent instanceof Exchange
        || parent instanceof ReplicatedExec
        || parent instanceof SortExec;
  }
}
