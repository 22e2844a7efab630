package io.mooring.spark.plan.stages;

import io.mooring.catalyst.ScalaLists;
import io.mooring.catalyst.TreeNodes;
import io.mooring.metrics.StageEnd;
import io.mooring.spark.plan.StageConf;
import io.mooring.spark.plan.explain.ExchangeReason;
import io.mooring.stage.MooringFinalStageExec;
import io.mooring.stage.MooringStageExec;
import io.mooring.stage.program.FinalStageChain;
import io.mooring.stage.program.GroupSources;
import io.mooring.stage.program.JoinSides;
import io.mooring.stage.program.LateColumns;
import io.mooring.stage.program.NumberedRows;
import io.mooring.stage.program.PushThroughUnion;
import io.mooring.stage.program.RuntimeBloomFilters;
import io.mooring.stage.program.StageChain;
import io.mooring.stage.program.SubqueryResults;
import io.mooring.stage.replicated.ReplacedExchange;
import io.mooring.stage.replicated.ReplicatedExec;
import java.util.List;
import java.util.Objects;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.InputFileBlockLength;
import org.apache.spark.sql.catalyst.expressions.InputFileBlockStart;
import org.apache.spark.sql.catalyst.expressions.InputFileName;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.apache.spark.sql.execution.CollectLimitExec;
import org.apache.spark.sql.execution.LocalLimitExec;
import org.apache.spark.sql.execution.SortExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.TakeOrderedAndProjectExec;
import org.apache.spark.sql.execution.UnionExec;
import org.apache.spark.sql.execution.joins.BroadcastHashJoinExec;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts stages in the place of operators over scans of Mooring, in the plan of a query or, under
 * adaptive execution, of each of its query stages. Thread-safe.
 */
public final class StageRule extends Rule<SparkPlan> {
  private static final Logger LOG = LoggerFactory.getLogger(StageRule.class);
  // To keep more rows than a unit has costs a sort and saves nothing.
  private static final int MOST_TOP_ROWS = 1 << 16;

  private final SparkSession session;

  public StageRule(SparkSession session) {
    this.session = session;
  }

  @Override
  public SparkPlan apply(SparkPlan plan) {
    if (!StageConf.isOn(session) || asksForFiles(plan)) {
      return plan;
    }
    try {
      SparkPlan needed = RuntimeBloomFilters.without(plan, ReplicatedExec.class::isInstance);
      NumberedRows.mark(needed, StageRule::replacesBroadcast);
      LateColumns.mark(needed);
      return staged(needed, Above.NOTHING);
    } catch (Exception | LinkageError e) {
      // Whatever is wrong, Spark can execute the plan as it is.
      LOG.warn("Mooring could not make stages of a plan; Spark runs its operators", e);
      return plan;
    }
  }

  private static boolean replacesBroadcast(SparkPlan build) {
    return build instanceof ReplicatedExec replicated
        && replicated.replaced() != ReplacedExchange.SHUFFLE;
  }

  /** Whether an operator asks for the file of a row, which a stage does not keep. */
  private static boolean asksForFiles(SparkPlan plan) {
    return ScalaLists.list(plan.expressions()).stream().anyMatch(StageRule::namesFile)
        || ScalaLists.<SparkPlan>list(plan.children()).stream().anyMatch(StageRule::asksForFiles);
  }

  private static boolean namesFile(Expression expression) {
    return expression instanceof InputFileName
        || expression instanceof InputFileBlockStart
        || expression instanceof InputFileBlockLength
        || ScalaLists.<Expression>list(expression.children()).stream()
            .anyMatch(StageRule::namesFile);
  }

  private static SparkPlan staged(SparkPlan plan, Above above) {
    FinalStageChain last = FinalStageChain.over(plan, GroupSources::givesGroups);
    if (last != null && (isWhole(last) || (above.isBuildSide() && isFinished(last)))) {
      return finished(last, above);
    }
    if (above.isBuildSide() && StageChain.over(plan) != null) {
      SparkPlan staged = withStagedBuildSides(plan);
      StageChain chain = Objects.requireNonNull(StageChain.over(staged));
      // A stage of a scan alone is of use, too: its rows stay on the device.
      StageChain.Supported whole = chain.whole(SubqueryResults.EXPECTED);
      if (whole != null) {
        return with(staged, whole, above);
      }
    }
    if (StageChain.below(plan) != null) {
      SparkPlan staged = withStagedBuildSides(plan);
      StageChain chain = Objects.requireNonNull(StageChain.below(staged));
      StageChain.Supported supported = chain.supported(SubqueryResults.EXPECTED);
      return supported == null ? staged : with(staged, supported, above);
    }
    if (plan instanceof TakeOrderedAndProjectExec limit) {
      SparkPlan top = topOfPartitions(limit);
      if (top != null) {
        return limit.withNewChildren(ScalaLists.seq(List.of(top)));
      }
    }
    if (plan instanceof CollectLimitExec limit && limit.limit() >= 0 && isWhole(limit.child())) {
      // Spark takes as many rows of the results as it needs, but they come in one batch.
      SparkPlan first = staged(new LocalLimitExec(limit.limit(), limit.child()), Above.of(plan));
      return limit.withNewChildren(ScalaLists.seq(List.of(first)));
    }
    if (PushThroughUnion.isOverUnion(plan) && mayLoseOrder(plan, above)) {
      // Build sides get their stages before the operators are copied: the copies share them.
      SparkPlan staged = withStagedBuildSides(plan);
      SparkPlan pushed = PushThroughUnion.push(staged);
      return pushed == staged ? ofChildren(staged, above) : staged(pushed, above);
    }
    return ofChildren(plan, above);
  }

  /**
   * A stage that gives the first rows of each partition alone; null where the GPU cannot tell which
   * these are.
   */
  private static @Nullable SparkPlan topOfPartitions(TakeOrderedAndProjectExec limit) {
    if (limit.limit() > MOST_TOP_ROWS || StageChain.over(limit.child()) == null) {
      return null;
    }
    SparkPlan top =
        new LocalLimitExec(limit.limit(), new SortExec(limit.sortOrder(), false, limit.child(), 0));
    SparkPlan staged = withStagedBuildSides(top);
    StageChain chain = Objects.requireNonNull(StageChain.below(staged));
    StageChain.Supported whole = chain.whole(SubqueryResults.EXPECTED);
    return whole == null ? null : MooringStageExec.of(staged, "");
  }

  private static SparkPlan ofChildren(SparkPlan plan, Above above) {
    // The node above a union reads the rows of the union's children.
    Above reader = plan instanceof UnionExec ? above : Above.of(plan);
    return TreeNodes.mapChildren(plan, child -> staged(child, reader));
  }

  /** Whether one task merges the groups of a chain, and the GPU computes all of it. */
  private static boolean isWhole(FinalStageChain chain) {
    return chain.isGathered()
        && chain.isComplete()
        && chain.program(SubqueryResults.EXPECTED) != null
        && chain.fullJoinSides().stream().allMatch(StageRule::isWhole);
  }

  private static boolean isWhole(SparkPlan side) {
    FinalStageChain chain = FinalStageChain.over(side, GroupSources::givesGroups);
    return chain != null && isWhole(chain);
  }

  /** Whether a chain in a build side needs no shorter one, whose groups the GPU merges at least. */
  private static boolean isFinished(FinalStageChain chain) {
    return !chain.joins() || chain.program(SubqueryResults.EXPECTED) != null;
  }

  /** The chain over groups that a stage makes; on the GPU as a whole where that is supported. */
  private static SparkPlan finished(FinalStageChain chain, Above above) {
    SparkPlan groups = staged(chain.groups(), Above.ofGroups(chain.aboveGroups()));
    SparkPlan whole = chain.with(groups, build -> staged(build, Above.ofBuildSide()));
    SparkPlan inOrder = chain(whole, groups).inOrder(!above.anyOrder());
    MooringFinalStageExec results = MooringFinalStageExec.of(chain(inOrder, groups));
    if (results == null) {
      return whole;
    }
    results.copyTagsFrom(chain.top());
    return results;
  }

  private static FinalStageChain chain(SparkPlan top, SparkPlan groups) {
    return Objects.requireNonNull(FinalStageChain.over(top, it -> it == groups));
  }

  /** The plan with stages in the build sides of its joins. */
  private static SparkPlan withStagedBuildSides(SparkPlan plan) {
    if (plan.children().isEmpty() || plan instanceof UnionExec) {
      return plan;
    }
    SparkPlan streamed = JoinSides.streamed(plan);
    SparkPlan below = withStagedBuildSides(streamed);
    if (plan instanceof BroadcastHashJoinExec join) {
      SparkPlan build = JoinSides.build(join);
      SparkPlan staged = staged(build, Above.of(join));
      return below == streamed && staged == build ? plan : JoinSides.with(join, below, staged);
    }
    return below == streamed ? plan : JoinSides.withStreamed(plan, below);
  }

  /** The plan with a stage instead of its supported operators. */
  private static SparkPlan with(SparkPlan plan, StageChain.Supported supported, Above above) {
    SparkPlan top = supported.top();
    if (plan != top) {
      SparkPlan streamed = JoinSides.streamed(plan);
      return JoinSides.withStreamed(plan, with(streamed, supported, Above.of(plan)));
    }
    MooringStageExec stage = MooringStageExec.of(top, end(supported, above));
    stage.copyTagsFrom(top);
    return mayLoseOrder(top, above)
        ? stage
        : new SortExec(stage.replaced().outputOrdering(), false, stage, 0);
  }

  private static String end(StageChain.Supported supported, Above above) {
    if (supported.above() != null) {
      return StageEnd.BELOW_OPERATOR.because(supported.above());
    }
    SparkPlan operator = above.operator();
    if (operator != null) {
      return StageEnd.BELOW_OPERATOR.because(operator.nodeName());
    }
    String exchange = supported.givesGroups() ? ExchangeReason.of(supported.top()) : "";
    return exchange.isEmpty() ? "" : StageEnd.EXCHANGES_GROUPS.because(exchange);
  }

  private static boolean mayLoseOrder(SparkPlan plan, Above above) {
    return plan.outputOrdering().isEmpty() || above.anyOrder();
  }
}
