package io.mooring.spark.plan.joins;

import io.mooring.catalyst.ScalaLists;
import io.mooring.spark.plan.ScanPattern;
import io.mooring.spark.plan.joins.SparkJoinSelection.Side;
import io.mooring.stage.replicated.BuildSize;
import io.mooring.stage.replicated.ReplicatedExec;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.sql.SparkSession;
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
 * Chooses the joins of a plan that are executed without an exchange, and for each the side that
 * every executor reads. The choice for a join depends only on what is below it, so that Spark's
 * planner, which begins at the top, may ask in any order. It stays, so that joins above need not
 * make it again. Belongs to the planning of one query. Thread-safe.
 */
final class ReplicatedJoinPlanner {
  private final ReplicatedJoinConf conf;
  private final SparkJoinSelection selection;
  private final JoinCostEstimate costs;
  private final BuildSideEligibility eligibility;
  private final Map<Join, Optional<Choice>> choices = new IdentityHashMap<>();

  /**
   * The way in which a join is executed.
   *
   * @param model Spark's join, with the side broadcast
   * @param bytes that the build sides of the join and of those below take in its stage
   */
  private record Choice(BroadcastHashJoinExec model, Side side, BuildSize size, double bytes) {}

  ReplicatedJoinPlanner(SparkSession session, ReplicatedJoinConf conf) {
    this.conf = conf;
    this.selection = new SparkJoinSelection(session);
    this.costs = new JoinCostEstimate(conf.executors());
    this.eligibility = new BuildSideEligibility(session, conf);
  }

  /** The join without an exchange; null where Spark plans it. */
  synchronized @Nullable SparkPlan planned(Join join) {
    return choice(join).map(ReplicatedJoinPlanner::plan).orElse(null);
  }

  /** Whether Spark or Mooring broadcasts a side of a join. */
  synchronized boolean needsNoExchange(Join join) {
    return selection.broadcastSide(join) != null || choice(join).isPresent();
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
      boolean repeatable = join.deterministic() && !join.isStreaming();
      known = repeatable ? chosen(join) : Optional.empty();
      choices.put(join, known);
    }
    return known;
  }

  private Optional<Choice> chosen(Join join) {
    if (selection.isShuffled(join)) {
      return insteadOfShuffle(join);
    }
    Side broadcast = selection.broadcastForSize(join);
    if (broadcast == null) {
      return Optional.empty();
    }
    Optional<Choice> read = insteadOfBroadcast(join, broadcast);
    return read.isPresent()
        ? read
        : insteadOfAggregateExchange(join, broadcast == Side.LEFT ? Side.RIGHT : Side.LEFT);
  }

  /**
   * The join with its groups as the build side. Spark would broadcast the other side, and exchange
   * rows below the aggregate that gives the groups.
   */
  private Optional<Choice> insteadOfAggregateExchange(Join join, Side side) {
    return SparkJoinSelection.sides(join.joinType()).contains(side)
            && BuildSideEligibility.givesGroups(child(join, side))
            && !BuildSideEligibility.prunesDynamically(child(join, side))
            && isOverScan(streamed(join, side))
            && (!conf.weighsCosts() || costsLess(join, side))
        ? choice(join, side)
        : Optional.empty();
  }

  private Optional<Choice> insteadOfBroadcast(Join join, Side side) {
    LogicalPlan build = child(join, side);
    return costs.relationBytes(build) <= JoinCostEstimate.BROADCAST_BYTES
            || (conf.weighsCosts() && !costs.readsForLessThanBroadcast(build))
            || !isOverScan(streamed(join, side))
            || BuildSideEligibility.prunesDynamically(streamed(join, side))
        ? Optional.empty()
        : choice(join, side);
  }

  private Optional<Choice> insteadOfShuffle(Join join) {
    return SparkJoinSelection.sides(join.joinType()).stream()
        // Rows of an aggregate come without an exchange only as a build side.
        .sorted(
            Comparator.comparing((Side side) -> !isOverScan(streamed(join, side)))
                .thenComparing(side -> costs.relationBytes(child(join, side))))
        .filter(side -> !conf.weighsCosts() || isOverScan(streamed(join, side)))
        .filter(side -> !conf.weighsCosts() || costsLess(join, side))
        .map(side -> choice(join, side))
        .filter(Optional::isPresent)
        .findFirst()
        .orElse(Optional.empty());
  }

  private boolean costsLess(Join join, Side side) {
    return costs.readsForLessThanShuffle(child(join, side), join);
  }

  private Optional<Choice> choice(Join join, Side side) {
    LogicalPlan build = child(join, side);
    BroadcastHashJoinExec model = selection.withBroadcast(join, side);
    if (model == null || hasSubquery(model.leftKeys()) || hasSubquery(model.rightKeys())) {
      return Optional.empty();
    }
    double own = costs.relationBytes(build);
    double all = own + buildBytes(build, true) + buildBytes(streamed(join, side), false);
    if (all > conf.maxBuildSize() || !isReplicable(build)) {
      return Optional.empty();
    }
    BuildSize size = new BuildSize((long) costs.rows(build), (long) own, conf.maxBuildSize());
    return Optional.of(new Choice(model, side, size, all));
  }

  /** Whether there is a sub-query, which Spark replaces in a join's keys but not in our node's. */
  private static boolean hasSubquery(Seq<Expression> keys) {
    return ScalaLists.<Expression>list(keys).stream().anyMatch(SubqueryExpression::hasSubquery);
  }

  /**
   * The bytes of build sides that are read without an exchange in the stage that a plan's rows are
   * in.
   *
   * @param whole whether aggregates of the plan are in that stage, as those of a build side are
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
    Side broadcast = selection.broadcastSide(join);
    return broadcast == null ? 0 : buildBytes(streamed(join, broadcast), whole);
  }

  /** Whether the stage of a scan takes a join with a plan's rows; else Spark joins on the CPU. */
  private boolean isOverScan(LogicalPlan plan) {
    if (plan instanceof Join join) {
      LogicalPlan streamed = streamed(join);
      return streamed != null && isOverScan(streamed);
    } else if (plan instanceof Aggregate) {
      return false;
    }
    ScanPattern pattern = ScanPattern.find(plan);
    if (pattern != null) {
      return eligibility.allows(plan, pattern);
    }
    // Joins above a union are in the stages of its children.
    return (plan instanceof Project || plan instanceof Filter || plan instanceof Union)
        && ScalaLists.<LogicalPlan>list(plan.children()).stream().allMatch(this::isOverScan);
  }

  /** Whether one task can compute all rows of a plan alone, out of files. */
  private boolean isReplicable(LogicalPlan plan) {
    if (plan instanceof Join join) {
      LogicalPlan streamed = streamed(join);
      return streamed != null && isReplicable(streamed);
    }
    if (plan instanceof Aggregate aggregate && !eligibility.allows(aggregate)) {
      return false;
    }
    ScanPattern pattern = ScanPattern.find(plan);
    if (pattern != null) {
      return eligibility.allows(plan, pattern);
    }
    return (plan instanceof Project || plan instanceof Filter || plan instanceof Aggregate)
        && isReplicable(plan.children().head());
  }

  /** The side of a join whose rows stay where they are; null where both are shuffled. */
  private @Nullable LogicalPlan streamed(Join join) {
    Optional<Choice> own = choice(join);
    Side build = own.isPresent() ? own.get().side() : selection.broadcastSide(join);
    return build == null ? null : streamed(join, build);
  }

  private static LogicalPlan streamed(Join join, Side build) {
    return build == Side.LEFT ? join.right() : join.left();
  }

  private static LogicalPlan child(Join join, Side side) {
    return side == Side.LEFT ? join.left() : join.right();
  }
}
