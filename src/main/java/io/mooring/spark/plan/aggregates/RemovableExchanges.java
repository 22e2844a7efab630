package io.mooring.spark.plan.aggregates;

import io.mooring.stage.program.FinalStageChain;
import io.mooring.stage.program.GroupSources;
import io.mooring.stage.program.JoinSides;
import org.apache.spark.sql.catalyst.plans.physical.SinglePartition$;
import org.apache.spark.sql.execution.CoalesceExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.exchange.ENSURE_REQUIREMENTS$;
import org.apache.spark.sql.execution.exchange.ShuffleExchangeExec;
import org.apache.spark.sql.execution.exchange.ShuffleExchangeLike;
import org.jspecify.annotations.Nullable;

/** Exchanges that operators above one task do not need. */
final class RemovableExchanges {
  private RemovableExchanges() {}

  /** The child of an exchange that its reader does not need any more. */
  static SparkPlan without(SparkPlan node) {
    return isRemovable(node)
            && node.children().head().outputPartitioning() == SinglePartition$.MODULE$
        ? node.children().head()
        : node;
  }

  /** Whether Spark put in an exchange only for the operator above. */
  static boolean isRemovable(SparkPlan node) {
    return node instanceof ShuffleExchangeExec exchange && isOfRequirements(exchange);
  }

  /** Whether no user asked for an exchange. */
  static boolean isOfRequirements(ShuffleExchangeLike exchange) {
    return exchange.shuffleOrigin() == ENSURE_REQUIREMENTS$.MODULE$;
  }

  /** The operators over gathered groups, without exchanges; null when there are no groups. */
  static @Nullable SparkPlan gathered(SparkPlan node) {
    boolean exchange = isRemovable(node);
    if (!exchange && !FinalStageChain.isOperator(node)) {
      return null;
    }
    SparkPlan child = JoinSides.streamed(node);
    if (exchange && GroupSources.givesGroups(child)) {
      return coalesced(child);
    }
    SparkPlan below = gathered(child);
    if (exchange) {
      // A full outer join does not say that it has a single partition.
      return below == null || below.outputPartitioning() == SinglePartition$.MODULE$
          ? below
          : coalesced(below);
    }
    return below == null ? null : JoinSides.withStreamed(node, below);
  }

  /** The rows of all partitions in one, without an exchange. */
  static SparkPlan coalesced(SparkPlan rows) {
    CoalesceExec one = new CoalesceExec(1, rows);
    // Adaptive execution would refuse a plan with a node that has no logical link.
    if (rows.logicalLink().isDefined()) {
      one.setLogicalLink(rows.logicalLink().get());
    }
    return one;
  }
}
