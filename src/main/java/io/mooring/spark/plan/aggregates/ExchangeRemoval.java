package io.mooring.spark.plan.aggregates;

import io.mooring.catalyst.TreeNodes;
import io.mooring.spark.plan.Overwrites;
import io.mooring.spark.plan.RepeatedOperators;
import io.mooring.spark.plan.SingleTaskConf;
import io.mooring.spark.plan.explain.ExchangeReason;
import io.mooring.stage.program.FinalStageChain;
import io.mooring.stage.program.GroupSources;
import io.mooring.stage.program.SubqueryResults;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.plans.logical.Aggregate;
import org.apache.spark.sql.catalyst.plans.physical.SinglePartition$;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.aggregate.BaseAggregateExec;
import org.jspecify.annotations.Nullable;

/**
 * Takes the exchanges out of aggregates that one task shall compute, and those above that a single
 * partition does not need. Belongs to one thread.
 */
final class ExchangeRemoval {
  private final SingleTaskConf conf;
  private final SingleTaskCost cost;

  ExchangeRemoval(SingleTaskConf conf) {
    this.conf = conf;
    this.cost = new SingleTaskCost(conf.executors(), conf.mostBytes());
  }

  /** The plan with aggregates of one task; itself when there is none. */
  SparkPlan applied(SparkPlan plan) {
    return applied(plan, ParentRequirements.none(SingleTaskCost.MOST_ROWS));
  }

  /** The same for a query that {@linkplain Overwrites changes files before its last stage}. */
  SparkPlan appliedToOverwrite(SparkPlan write) {
    return applied(write, ParentRequirements.ofOverwrite());
  }

  private SparkPlan applied(SparkPlan node, ParentRequirements readers) {
    ParentRequirements above = repartitions(node, readers) ? readers.ofPartitions() : readers;
    // One task in the place of another keeps what is above.
    SparkPlan single = single(node, above);
    if (single != null) {
      return single;
    }
    ParentRequirements here = above.below(node);
    // A join above of two sides may count on the partitions of the exchange.
    boolean removes = node.children().size() == 1 && above.anyPartitioning();
    return TreeNodes.mapChildren(
        node,
        child -> {
          SparkPlan other = applied(child, here);
          return other == child || !removes ? other : RemovableExchanges.without(other);
        });
  }

  /** Whether the query repartitions a node's rows, and no exchange above does. */
  private static boolean repartitions(SparkPlan node, ParentRequirements above) {
    return RepartitionedPlans.isRepartitioned(node)
        && ParentRequirements.logical(node) != above.exchanged();
  }

  /** The aggregates whose top is a node, by one task; null when that is not possible, or slower. */
  private @Nullable SparkPlan single(SparkPlan node, ParentRequirements above) {
    if (!FinalStageChain.canEnd(node) || RemovableExchanges.isRemovable(node)) {
      return null;
    }
    SparkPlan gathered = RemovableExchanges.gathered(node);
    FinalStageChain chain =
        gathered == null ? null : FinalStageChain.over(gathered, GroupSources::givesGroups);
    if (chain == null) {
      return null;
    }
    boolean few = above.few() || ParentRequirements.limits(node);
    String reason = whyRequired(node, above);
    reason = reason.isEmpty() ? exchangeReason(chain, above, few) : reason;
    SparkPlan single = reason.isEmpty() ? withBuildSides(chain, few) : null;
    // Shorter chains of the same groups come later, so that the reason of the shortest stays.
    explain(
        chain,
        single == null && reason.isEmpty()
            ? "a side of a full outer join keeps its exchange"
            : reason);
    return single;
  }

  /** Why operators above need the exchange; empty where they do not. */
  private static String whyRequired(SparkPlan node, ParentRequirements above) {
    if (above.keepExchange()) {
      return Overwrites.REASON;
    }
    return above.anyPartitioning() || node.outputPartitioning() == SinglePartition$.MODULE$
        ? ""
        : "an operator above uses the partitions of the exchange";
  }

  private static void explain(FinalStageChain chain, String reason) {
    if (ParentRequirements.logical(chain.groups()) instanceof Aggregate groups) {
      ExchangeReason.set(groups, reason);
    }
  }

  /** Why the groups of a chain are exchanged; empty where one task computes it in less time. */
  private String exchangeReason(FinalStageChain chain, ParentRequirements above, boolean few) {
    if (chain.operators().stream().anyMatch(it -> repartitions(it, above))) {
      return "the query repartitions the rows";
    }
    Optional<String> differs = whatDiffers(chain);
    if (differs.isPresent()) {
      return differs.get() + " may differ when it is computed again";
    }
    Optional<String> unsupported = chain.unsupported(SubqueryResults.EXPECTED);
    if (unsupported.isPresent()) {
      return unsupported.get();
    } else if (!GroupSources.areStages(chain.groups())) {
      return "not all of the groups are made by stages";
    }
    return conf.weighsCosts() ? cost.exchangeReason(chain, few, above.mostRows()) : "";
  }

  /** What may differ between places of the query that each compute the chain's groups. */
  private static Optional<String> whatDiffers(FinalStageChain chain) {
    return Stream.concat(chain.operators().stream(), Stream.of(chain.groups()))
        .filter(BaseAggregateExec.class::isInstance)
        .flatMap(it -> whatDiffers(it).stream())
        .findFirst();
  }

  private static Optional<String> whatDiffers(SparkPlan aggregate) {
    return ParentRequirements.logical(aggregate) instanceof Aggregate groups
        ? RepeatedOperators.differs(groups)
        : Optional.of("an aggregate that Spark's plan does not name");
  }

  /**
   * A chain without exchanges in its build sides; null where a side of a full outer join keeps one.
   */
  private @Nullable SparkPlan withBuildSides(FinalStageChain chain, boolean few) {
    Map<SparkPlan, SparkPlan> fullJoins = new IdentityHashMap<>();
    for (SparkPlan side : chain.fullJoinSides()) {
      ParentRequirements none = ParentRequirements.none(SingleTaskCost.mostSideRows(chain, few));
      SparkPlan other = RemovableExchanges.without(applied(side, none));
      FinalStageChain groups = FinalStageChain.over(other, GroupSources::givesGroups);
      if (groups == null || !groups.isGathered()) {
        return null;
      }
      fullJoins.put(side, other);
    }
    return chain.with(
        chain.groups(),
        build -> {
          SparkPlan ofFullJoin = fullJoins.get(build);
          return ofFullJoin == null ? ofBroadcast(build) : ofFullJoin;
        });
  }

  /** A build side of a join, perhaps with aggregates of one task of its own. */
  private SparkPlan ofBroadcast(SparkPlan build) {
    return applied(build, ParentRequirements.none(SingleTaskConf.MOST_ROWS_COMPUTED));
  }
}
