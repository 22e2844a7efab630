package io.mooring.spark.plan.joins;

import io.mooring.catalyst.LogicalOperators;
import io.mooring.catalyst.ScalaLists;
import io.mooring.spark.plan.RepeatedOperators;
import io.mooring.spark.plan.ScanPattern;
import io.mooring.stage.program.SupportedWindows;
import java.util.function.Function;
import org.apache.spark.sql.catalyst.plans.logical.Aggregate;
import org.apache.spark.sql.catalyst.plans.logical.Filter;
import org.apache.spark.sql.catalyst.plans.logical.Join;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.catalyst.plans.logical.Union;
import org.apache.spark.sql.catalyst.plans.logical.Window;
import org.apache.spark.sql.internal.SQLConf;
import org.jspecify.annotations.Nullable;

/**
 * Tells where the rows are that joins stream or build on: in a scan's stage, or in one task.
 * Belongs to the planning of one query.
 *
 * @param streamedBy the side of a join whose rows are not exchanged; null where both are shuffled
 */
record JoinedRows(
    BuildSideEligibility eligibility,
    ReplicatedJoinConf conf,
    JoinCostEstimate costs,
    Function<Join, @Nullable LogicalPlan> streamedBy) {
  /** Whether the stage of a scan takes a join with a plan's rows; else Spark joins on the CPU. */
  boolean areOverScan(LogicalPlan plan) {
    if (plan instanceof Join join) {
      LogicalPlan streamed = streamedBy.apply(join);
      return streamed != null && areOverScan(streamed);
    } else if (plan instanceof Aggregate) {
      return false;
    }
    ScanPattern pattern = ScanPattern.find(plan);
    if (pattern != null) {
      return eligibility.allows(plan, pattern);
    }
    // Joins above a union are in the stages of its children, which share broadcasts.
    boolean passes =
        plan instanceof Project
            || plan instanceof Filter
            || (plan instanceof Union && SQLConf.get().exchangeReuseEnabled());
    return passes
        && ScalaLists.<LogicalPlan>list(plan.children()).stream().allMatch(this::areOverScan);
  }

  /** Whether one task computes the rows of a plan on its GPU: groups, or joins of groups. */
  boolean areOverGroups(LogicalPlan plan) {
    if (plan instanceof Join join) {
      LogicalPlan streamed = streamedBy.apply(join);
      return streamed != null && areOverGroups(streamed);
    } else if (LogicalOperators.passesRows(plan)) {
      return (!(plan instanceof Window window) || SupportedWindows.supports(window))
          && areOverGroups(plan.children().head());
    }
    return plan instanceof Aggregate aggregate
        && RepeatedOperators.differs(aggregate).isEmpty()
        && eligibility.isOnGpu(aggregate)
        && (areOverScan(aggregate.child()) || areOverGroups(aggregate.child()))
        && costs.relationBytes(aggregate) <= conf.budget().groups();
  }

  /** Whether one task can compute all rows of a plan alone, out of files. */
  boolean areReplicable(LogicalPlan plan) {
    if (plan instanceof Join join) {
      LogicalPlan streamed = streamedBy.apply(join);
      return streamed != null && areReplicable(streamed);
    }
    if (plan instanceof Aggregate aggregate) {
      // The groups of several stages, too: those of a union.
      return eligibility.allows(aggregate)
          && (areReplicable(aggregate.child()) || areOverScan(aggregate.child()));
    }
    if (plan instanceof Window window && !SupportedWindows.supports(window)) {
      return false;
    }
    ScanPattern pattern = ScanPattern.find(plan);
    if (pattern != null) {
      return eligibility.allows(plan, pattern);
    }
    return LogicalOperators.passesRows(plan) && areReplicable(plan.children().head());
  }
}
