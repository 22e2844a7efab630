package io.mooring.stage.program;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.aggregate.BaseAggregateExec;

/**
 * The chains that make the partial groups of an aggregate: one over a scan or, where the rows that
 * it groups are those of a union, one over each scan below.
 */
public final class GroupSources {
  private GroupSources() {}

  /** Whether a node is a partial aggregate over scans of Mooring alone. */
  public static boolean givesGroups(SparkPlan plan) {
    return !chains(plan).isEmpty();
  }

  /** The chains whose top is a partial aggregate; empty where it is over something else as well. */
  public static List<StageChain> chains(SparkPlan groups) {
    List<StageChain> chains = new ArrayList<>();
    return groups instanceof BaseAggregateExec && add(groups, chains) ? chains : List.of();
  }

  private static boolean add(SparkPlan groups, List<StageChain> chains) {
    StageChain chain = StageChain.over(groups);
    if (chain != null) {
      return chains.add(chain);
    }
    List<SparkPlan> children = PushThroughUnion.inChildren(groups);
    return !children.isEmpty() && children.stream().allMatch(child -> add(child, chains));
  }

  /** Whether stages take all of the chains of a partial aggregate. */
  public static boolean areStages(SparkPlan groups) {
    List<StageChain> chains = chains(groups);
    return !chains.isEmpty() && chains.stream().allMatch(GroupSources::isStage);
  }

  private static boolean isStage(StageChain chain) {
    StageChain.Supported supported = chain.supported(SubqueryResults.EXPECTED);
    return supported != null && supported.above() == null;
  }
}
