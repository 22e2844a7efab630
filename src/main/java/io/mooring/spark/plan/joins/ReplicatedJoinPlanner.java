package io.mooring.spark.plan.joins;

import io.mooring.catalyst.ScalaLists;
import io.mooring.spark.plan.ScanEligibility;
import io.mooring.spark.plan.ScanFilters;
import io.mooring.spark.plan.ScanPattern;
import io.mooring.spark.plan.ScanRewriteConf;
import io.mooring.spark.plan.UnsupportedScanException;
import io.mooring.spark.plan.joins.SparkJoinSelection.Side;
import io.mooring.stage.program.SupportedAggregates;
import io.mooring.stage.replicated.BuildSize;
import io.mooring.stage.replicated.ReplicatedExec;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.FileSourceOptions;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.SubqueryExpression;
import org.apache.spark.sql.catalyst.plans.logical.Aggregate;
import org.apache.spark.sql.catalyst.plans.logical.Filter;
import org.apache.spark.sql.catalyst.plans.logical.Join;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.catalyst.plans.logical.Union;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.joins.BroadcastHashJoinExec;
import org.jspecify.annotations.Nullable;
import scala.collection.immutable.Seq;

/**
 * Which joins of a plan have no exchange, and the side that every executor reads. What is chosen
 * for a join depends on what is below it alone, so that the planner, which begins at the top, may
 * ask in any order. Belongs to one thread.
 */
final class ReplicatedJoinPlanner {
  private final SparkSession session;
  private final ReplicatedJoinConf settings;
  private final SparkJoinSelection sparks;
  private final JoinCostEstimate sizes;
  private final Map<Join, Optional<Choice>> choices = new IdentityHashMap<>();

  /**
   * How a join is executed.
   *
   * @param model Spark's join, with the side broadcast
   * @param bytes that the build sides of the join and of those below take in its stage
   */
  private record Choice(BroadcastHashJoinExec model, Side side, BuildSize size, double bytes) {}

  ReplicatedJoinPlanner(SparkSession session, ReplicatedJoinConf settings) {
    this.session = session;
    this.settings = settings;
    this.sparks = new SparkJoinSelection(session);
    this.sizes = new JoinCostEstimate(settings.executors());
  }

  /** The join without an exchange; null where it is Spark's to plan. */
  @Nullable SparkPlan planned(Join join) {
    return choice(join).map(ReplicatedJoinPlanner::plan).orElse(null);
  }

  private static SparkPlan plan(Choice choice) {
    BroadcastHashJoinExec model = choice.model();
    return choice.side() == Side.LEFT
        ? with(model, build(model.left(), model.leftKeys(), choice), model.right())
        : with(model, model.left(), build(model.right(), model.rightKeys(), choice));
  }

  private static SparkPlan build(SparkPlan side, Seq<Expression> keys, Choice choice) {
    return new ReplicatedExec(side, keys, choice.size());
  }

  private static SparkPlan with(SparkPlan join, SparkPlan left, SparkPlan right) {
    return join.withNewChildren(ScalaLists.seq(List.of(left, right)));
  }

  private Optional<Choice> choice(Join join) {
    Optional<Choice> known = choices.get(join);
    if (known == null) {
      known = isAlike(join) ? chosen(join) : Optional.empty();
      choices.put(join, known);
    }
    return known;
  }

  /** Whether each executor would read the same of its sides. */
  private static boolean isAlike(Join join) {
    return join.deterministic() && !join.isStreaming();
  }

  private Optional<Choice> chosen(Join join) {
    if (sparks.isShuffled(join)) {
      return insteadOfShuffle(join);
    }
    Side broadcast = sparks.broadcastForSize(join);
    if (broadcast == null) {
      return Optional.empty();
    }
    Optional<Choice> read = insteadOfBroadcast(join, broadcast);
    return read.isPresent()
        ? read
        : ofGroups(join, broadcast == Side.LEFT ? Side.RIGHT : Side.LEFT);
  }

  /** Instead of the exchange below an aggregate whose rows would look up those of a broadcast. */
  private Optional<Choice> ofGroups(Join join, Side side) {
    return SparkJoinSelection.sides(join.joinType()).contains(side)
            && JoinInputs.areGroups(child(join, side))
            && !JoinInputs.prunePartitions(child(join, side))
            && isOverScan(streamed(join, side))
            && (!settings.weighsCosts() || costsLess(join, side))
        ? choice(join, side)
        : Optional.empty();
  }

  private Optional<Choice> insteadOfBroadcast(Join join, Side side) {
    LogicalPlan build = child(join, side);
    boolean costs = settings.weighsCosts();
    return sizes.relationBytes(build) <= JoinCostEstimate.BROADCAST_BYTES
            || (costs && !sizes.readsForLessThanBroadcast(build))
            || !isOverScan(streamed(join, side))
            || JoinInputs.prunePartitions(streamed(join, side))
        ? Optional.empty()
        : choice(join, side);
  }

  /** Whether a join with the rows of a plan is in the stage of a scan: else it is on the host. */
  private boolean isOverScan(LogicalPlan plan) {
    if (plan instanceof Join join) {
      LogicalPlan streamed = streamed(join);
      return streamed != null && isOverScan(streamed);
    } else if (plan instanceof Aggregate) {
      return false;
    }
    ScanPattern chain = ScanPattern.find(plan);
    if (chain != null) {
      return isOurs(chain);
    }
    // Joins above a union are in the stages of its children.
    return (plan instanceof Project || plan instanceof Filter || plan instanceof Union)
        && ScalaLists.<LogicalPlan>list(plan.children()).stream().allMatch(this::isOverScan);
  }

  /** The side of a join whose rows stay where they are; null where both are shuffled. */
  private @Nullable LogicalPlan streamed(Join join) {
    Optional<Choice> own = choice(join);
    Side build = own.isPresent() ? own.get().side() : sparks.broadcastSide(join);
    return build == null ? null : streamed(join, build);
  }

  private Optional<Choice> insteadOfShuffle(Join join) {
    return SparkJoinSelection.sides(join.joinType()).stream()
        // Rows of an aggregate come without an exchange as a build side only.
        .sorted(
            Comparator.comparing((Side side) -> !isOverScan(streamed(join, side)))
                .thenComparing(side -> sizes.relationBytes(child(join, side))))
        .filter(side -> !settings.weighsCosts() || isOverScan(streamed(join, side)))
        .filter(side -> !settings.weighsCosts() || costsLess(join, side))
        .map(side -> choice(join, side))
        .filter(Optional::isPresent)
        .findFirst()
        .orElse(Optional.empty());
  }

  private boolean costsLess(Join join, Side side) {
    return sizes.readsForLessThanShuffle(child(join, side), join);
  }

  private static LogicalPlan child(Join join, Side side) {
    return side == Side.LEFT ? join.left() : join.right();
  }

  private Optional<Choice> choice(Join join, Side side) {
    LogicalPlan build = child(join, side);
    BroadcastHashJoinExec model = sparks.withBroadcast(join, side);
    if (model == null || hasSubquery(model.leftKeys()) || hasSubquery(model.rightKeys())) {
      return Optional.empty();
    }
    double own = sizes.relationBytes(build);
    double all = own + buildBytes(build, true) + buildBytes(streamed(join, side), false);
    if (all > settings.maxBuildSize() || !isReplicable(build)) {
      return Optional.empty();
    }
    BuildSize size = new BuildSize((long) sizes.rows(build), (long) own, settings.maxBuildSize());
    return Optional.of(new Choice(model, side, size, all));
  }

  /** Spark exchanges sub-queries in the join's keys, and would not in those of its build side. */
  private static boolean hasSubquery(Seq<Expression> keys) {
    return ScalaLists.<Expression>list(keys).stream().anyMatch(SubqueryExpression::hasSubquery);
  }

  /**
   * What the joins without an exchange take that are in one stage with the rows of a plan.
   *
   * @param whole whether aggregates of the plan are in the stage, as those of a build side are
   */
  private double buildBytes(LogicalPlan plan, boolean whole) {
    if (plan instanceof Project || plan instanceof Filter || (whole && plan instanceof Aggregate)) {
      return buildBytes(plan.children().head(), whole);
    }
    if (!(plan instanceof Join join)) {
      return 0;
    }
    Optional<Choice> chosen = choice(join);
    if (chosen.isPresent()) {
      return chosen.get().bytes();
    }
    Side broadcast = sparks.broadcastSide(join);
    return broadcast == null ? 0 : buildBytes(streamed(join, broadcast), whole);
  }

  private static LogicalPlan streamed(Join join, Side build) {
    return build == Side.LEFT ? join.right() : join.left();
  }

  /** Whether a task can compute all of a plan alone, out of files. */
  private boolean isReplicable(LogicalPlan plan) {
    if (plan instanceof Join join) {
      LogicalPlan streamed = streamed(join);
      return streamed != null && isReplicable(streamed);
    }
    if (plan instanceof Aggregate aggregate && !isReplicable(aggregate)) {
      return false;
    }
    ScanPattern chain = ScanPattern.find(plan);
    if (chain != null) {
      return isOurs(chain);
    }
    return (plan instanceof Project || plan instanceof Filter || plan instanceof Aggregate)
        && isReplicable(plan.children().head());
  }

  /** Without the GPU one task of each executor merges all groups, on one core. */
  private boolean isReplicable(Aggregate aggregate) {
    return ExactAggregates.are(aggregate)
        && (!settings.weighsCosts() || (settings.groups() && SupportedAggregates.is(aggregate)));
  }

  /** Whether Mooring reads a relation, and every time the same of it. */
  private boolean isOurs(ScanPattern chain) {
    FileSourceOptions options = new FileSourceOptions(chain.files().options());
    if (!ScanRewriteConf.of(session).take(chain)
        || options.ignoreCorruptFiles()
        || options.ignoreMissingFiles()) {
      return false;
    }
    try {
      new ScanEligibility(chain, ScanFilters.of(session, chain)).check();
      return true;
    } catch (UnsupportedScanException e) {
      return false;
    }
  }
}
