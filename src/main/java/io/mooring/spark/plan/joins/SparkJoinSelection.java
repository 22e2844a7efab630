package io.mooring.spark.plan.joins;

import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.optimizer.BuildRight$;
import org.apache.spark.sql.catalyst.planning.GenericStrategy;
import org.apache.spark.sql.catalyst.plans.ExistenceJoin;
import org.apache.spark.sql.catalyst.plans.InnerLike;
import org.apache.spark.sql.catalyst.plans.JoinType;
import org.apache.spark.sql.catalyst.plans.LeftAnti$;
import org.apache.spark.sql.catalyst.plans.LeftOuter$;
import org.apache.spark.sql.catalyst.plans.LeftSemi$;
import org.apache.spark.sql.catalyst.plans.RightOuter$;
import org.apache.spark.sql.catalyst.plans.logical.BROADCAST$;
import org.apache.spark.sql.catalyst.plans.logical.HintInfo;
import org.apache.spark.sql.catalyst.plans.logical.Join;
import org.apache.spark.sql.catalyst.plans.logical.JoinHint;
import org.apache.spark.sql.catalyst.plans.logical.JoinStrategyHint;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.adaptive.BroadcastQueryStageExec;
import org.apache.spark.sql.execution.adaptive.LogicalQueryStage;
import org.apache.spark.sql.execution.joins.BroadcastHashJoinExec;
import org.apache.spark.sql.execution.joins.ShuffledJoin;
import org.jspecify.annotations.Nullable;
import scala.Option;

/**
 * Asks Spark's own strategy how it would plan joins, by its settings and hints; once for each join.
 * Belongs to one thread, and to the planning of one query.
 */
final class SparkJoinSelection {
  /** The side of a join that is hashed. */
  enum Side {
    RIGHT,
    LEFT;

    /** The relation that is hashed. */
    LogicalPlan build(Join join) {
      return this == LEFT ? join.left() : join.right();
    }

    /** The relation whose rows look for those that are hashed. */
    LogicalPlan streamed(Join join) {
      return this == LEFT ? join.right() : join.left();
    }

    Side other() {
      return this == LEFT ? RIGHT : LEFT;
    }
  }

  private final GenericStrategy<SparkPlan> sparks;
  private final Map<Join, SparkPlan> plans = new IdentityHashMap<>();

  SparkJoinSelection(SparkSession session) {
    this.sparks = session.sessionState().planner().JoinSelection();
  }

  /**
   * The sides that a hash join of a type may have hashed; none for types that are not Mooring's.
   */
  static List<Side> sides(JoinType type) {
    if (type instanceof InnerLike) {
      return List.of(Side.RIGHT, Side.LEFT);
    } else if (type == RightOuter$.MODULE$) {
      return List.of(Side.LEFT);
    }
    return type == LeftOuter$.MODULE$
            || type == LeftSemi$.MODULE$
            || type == LeftAnti$.MODULE$
            || type instanceof ExistenceJoin
        ? List.of(Side.RIGHT)
        : List.of();
  }

  /** Whether Spark would shuffle both sides by the keys, without a hint to do so. */
  boolean isShuffled(Join join) {
    return isOpen(join) && planned(join) instanceof ShuffledJoin;
  }

  /** The side that Spark would broadcast for its size and has not yet; null for none. */
  @Nullable Side broadcastForSize(Join join) {
    return isOpen(join) ? broadcastSide(join) : null;
  }

  /** Whether neither a hint nor an executed stage decides how to join. */
  private static boolean isOpen(Join join) {
    return !hasStrategy(join.hint().leftHint())
        && !hasStrategy(join.hint().rightHint())
        && !isBroadcastStage(join.left())
        && !isBroadcastStage(join.right());
  }

  private static boolean hasStrategy(Option<HintInfo> hint) {
    return hint.isDefined() && hint.get().strategy().isDefined();
  }

  /** The side that a broadcast hash join has broadcast; null for any other join. */
  @Nullable Side broadcastSide(Join join) {
    if (isBroadcastStage(join.left())) {
      return Side.LEFT;
    } else if (isBroadcastStage(join.right())) {
      return Side.RIGHT;
    }
    return planned(join) instanceof BroadcastHashJoinExec hashed ? side(hashed) : null;
  }

  /** Whether adaptive execution has broadcast a side already, which then stays so. */
  private static boolean isBroadcastStage(LogicalPlan plan) {
    return plan instanceof LogicalQueryStage stage
        && stage.physicalPlan() instanceof BroadcastQueryStageExec;
  }

  /**
   * The broadcast hash join with a side broadcast; null where Spark has none for it, as for keys
   * that cannot be hashed.
   *
   * @param side one of those that the join's type allows
   */
  @Nullable BroadcastHashJoinExec withBroadcast(Join join, Side side) {
    Option<JoinStrategyHint> strategy = Option.apply(BROADCAST$.MODULE$);
    Option<HintInfo> hint = Option.apply(new HintInfo(strategy));
    JoinHint hints =
        side == Side.LEFT ? new JoinHint(hint, Option.empty()) : new JoinHint(Option.empty(), hint);
    Join hinted = new Join(join.left(), join.right(), join.joinType(), join.condition(), hints);
    return sparks.apply(hinted).head() instanceof BroadcastHashJoinExec hashed
            && side(hashed) == side
            && !hashed.isNullAwareAntiJoin()
        ? hashed
        : null;
  }

  private static Side side(BroadcastHashJoinExec join) {
    return join.buildSide() == BuildRight$.MODULE$ ? Side.RIGHT : Side.LEFT;
  }

  private SparkPlan planned(Join join) {
    return plans.computeIfAbsent(join, it -> sparks.apply(it).head());
  }
}
