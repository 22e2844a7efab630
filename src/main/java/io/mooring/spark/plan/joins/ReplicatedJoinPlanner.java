package io.mooring.spark.plan.joins;

import io.mooring.catalyst.ScalaLists;
import io.mooring.spark.plan.Overwrites;
import io.mooring.spark.plan.SingleTaskConf;
import io.mooring.spark.plan.joins.SparkJoinSelection.Side;
import io.mooring.stage.program.MatchConditions;
import io.mooring.stage.program.RaisedErrors;
import io.mooring.stage.replicated.BuildSize;
import io.mooring.stage.replicated.ReplacedExchange;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.SubqueryExpression;
import org.apache.spark.sql.catalyst.plans.LeftAnti$;
import org.apache.spark.sql.catalyst.plans.LeftSemi$;
import org.apache.spark.sql.catalyst.plans.logical.Join;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
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
  private static final String NOT_IN_STAGE =
      "the rows that would probe the hash table are not on the GPU";

  private final ReplicatedJoinConf conf;
  private final ReducedJoins reduced;
  private final SparkJoinSelection selection;
  private final JoinCostEstimate costs;
  private final JoinedRows rows;
  private final StageTables stage;
  private final Set<Join> ofOverwrite;
  private final ReplacedExchange broadcast;
  private final Map<Join, JoinDecision> decisions = new IdentityHashMap<>();

  /**
   * @param query of which all joins are, or one of them alone
   */
  ReplicatedJoinPlanner(SparkSession session, ReplicatedJoinConf conf, LogicalPlan query) {
    this(session, conf, query, true);
  }

  private ReplicatedJoinPlanner(
      SparkSession session, ReplicatedJoinConf conf, LogicalPlan query, boolean listed) {
    this.conf = conf;
    this.reduced = new ReducedJoins(query);
    this.selection = new SparkJoinSelection(session);
    this.ofOverwrite = OverwriteJoins.of(session, query, selection);
    this.broadcast =
        session.sessionState().conf().adaptiveExecutionEnabled()
            ? ReplacedExchange.MEASURED_BROADCAST
            : ReplacedExchange.BROADCAST;
    this.costs = new JoinCostEstimate(conf.executors());
    this.rows =
        new JoinedRows(
            new BuildSideEligibility(session, conf, listed), conf, costs, this::streamed);
    this.stage = new StageTables(selection, this::choice);
  }

  /** A planner for the optimizer, before table formats have chosen the files of their relations. */
  static ReplicatedJoinPlanner beforeListing(
      SparkSession session, ReplicatedJoinConf conf, LogicalPlan query) {
    return new ReplicatedJoinPlanner(session, conf, query, false);
  }

  /** The join without an exchange; null where Spark plans it. */
  synchronized @Nullable SparkPlan planned(Join join) {
    return isInTask(join) ? choice(join).map(ReplicatedJoin::plan).orElse(null) : null;
  }

  /** Whether the query deletes files first, and has joins above all exchanges. */
  boolean overwrites() {
    return !ofOverwrite.isEmpty();
  }

  /** Why a join that Spark plans keeps its exchange; empty where that is not Mooring's choice. */
  synchronized String whyExchanged(Join join) {
    return isInTask(join) ? decision(join).why() : NOT_IN_STAGE;
  }

  /** Whether Spark or Mooring broadcasts a side of a join. */
  synchronized boolean needsNoExchange(Join join) {
    return selection.broadcastSide(join) != null || (choice(join).isPresent() && isInTask(join));
  }

  /**
   * Whether a chosen join is in the stage of a scan, or in the task that computes the groups that
   * it streams. In that task all joins above, until few rows remain, must need no exchange either.
   * True of joins that are not chosen.
   */
  private boolean isInTask(Join join) {
    Optional<ReplicatedJoin> own = choice(join);
    if (own.isEmpty() || !conf.weighsCosts() || rows.areOverScan(own.get().side().streamed(join))) {
      return true;
    }
    for (ReducedJoins.Above above : reduced.above(join)) {
      Optional<ReplicatedJoin> chosen = choice(above.join());
      if (chosen.isPresent() && chosen.get().side() == above.side()) {
        // Who reads a build side computes all of it.
        return isInTask(above.join());
      }
      Side broadcast = selection.broadcastSide(above.join());
      if (chosen.isEmpty() && (broadcast == null || broadcast == above.side())) {
        return false;
      }
    }
    return true;
  }

  private Optional<ReplicatedJoin> choice(Join join) {
    return decision(join).chosen();
  }

  private JoinDecision decision(Join join) {
    JoinDecision known = decisions.get(join);
    if (known == null) {
      boolean repeatable = join.deterministic() && !join.isStreaming();
      known = repeatable ? decided(join) : JoinDecision.SPARKS;
      decisions.put(join, known);
    }
    return known;
  }

  private JoinDecision decided(Join join) {
    if (selection.isShuffled(join)) {
      return ofOverwrite.contains(join)
          ? JoinDecision.exchange(Overwrites.REASON)
          : insteadOfShuffle(join);
    } else if (ofOverwrite.contains(join)) {
      return JoinDecision.SPARKS;
    }
    Side broadcast = selection.broadcastForSize(join);
    if (broadcast == null) {
      return JoinDecision.SPARKS;
    }
    ReplicatedJoin groups = insteadOfAggregateExchange(join, broadcast.other());
    return new JoinDecision(groups == null ? insteadOfBroadcast(join, broadcast) : groups, "");
  }

  /**
   * The join with its groups as the build side. Spark would broadcast the other side, and exchange
   * rows below the aggregate that gives the groups.
   */
  private @Nullable ReplicatedJoin insteadOfAggregateExchange(Join join, Side side) {
    return SparkJoinSelection.sides(join.joinType()).contains(side)
            && BuildSideEligibility.givesGroups(side.build(join))
            && !BuildSideEligibility.prunesDynamically(side.build(join))
            // Spark computes the columns of groups that it streams for those that find a match.
            && !RaisedErrors.mayRaise(side.build(join))
            && rows.areOverScan(side.streamed(join))
            && (!conf.weighsCosts() || costs.readsForLessThanShuffle(side.build(join), join))
        ? decision(join, side).choice()
        : null;
  }

  private @Nullable ReplicatedJoin insteadOfBroadcast(Join join, Side side) {
    LogicalPlan build = side.build(join);
    return (conf.weighsCosts() && !costs.readsForLessThanBroadcast(build))
            || !isInStage(join, side)
            || BuildSideEligibility.prunesDynamically(side.streamed(join))
        ? null
        : decision(join, side).chosen().map(it -> it.insteadOf(broadcast)).orElse(null);
  }

  /** The first side that can be read; else the reason why the first one cannot. */
  private JoinDecision insteadOfShuffle(Join join) {
    List<Side> sides =
        SparkJoinSelection.sides(join.joinType()).stream()
            // Rows of an aggregate come without an exchange only as a build side.
            .sorted(
                Comparator.comparing((Side side) -> !rows.areOverScan(side.streamed(join)))
                    .thenComparing(side -> costs.relationBytes(side.build(join))))
            .toList();
    JoinDecision first = null;
    for (Side side : sides) {
      JoinDecision decision = conf.weighsCosts() ? weighed(join, side) : decision(join, side);
      if (decision.choice() != null) {
        return decision;
      }
      first = first == null ? decision : first;
    }
    return first == null ? JoinDecision.exchange("a join of type " + join.joinType()) : first;
  }

  /**
   * Whether the streamed rows of a join are on a GPU, which joins them there with the build side.
   */
  private boolean isInStage(Join join, Side build) {
    LogicalPlan streamed = build.streamed(join);
    return rows.areOverScan(streamed)
        || ((reduced.contains(join) || isSelection(join, streamed))
            && rows.areOverGroups(streamed)
            // Last, because it counts executors.
            && conf.joinsGroups().getAsBoolean());
  }

  /**
   * Whether a join only removes rows of a few groups. These may leave the GPU even if all remain.
   */
  private boolean isSelection(Join join, LogicalPlan streamed) {
    boolean leavesOut =
        join.joinType() == LeftSemi$.MODULE$ || join.joinType() == LeftAnti$.MODULE$;
    return leavesOut && costs.rows(streamed) <= SingleTaskConf.MOST_ROWS_COMPUTED;
  }

  private JoinDecision weighed(Join join, Side side) {
    if (!isInStage(join, side)) {
      return JoinDecision.exchange(NOT_IN_STAGE);
    }
    LogicalPlan build = side.build(join);
    return costs.readsForLessThanShuffle(build, join)
        ? decision(join, side)
        : JoinDecision.exchange(costs.whyShuffled(build, join));
  }

  private JoinDecision decision(Join join, Side side) {
    LogicalPlan build = side.build(join);
    BroadcastHashJoinExec model = selection.withBroadcast(join, side);
    if (model == null) {
      return JoinDecision.SPARKS;
    } else if (hasSubquery(model.leftKeys()) || hasSubquery(model.rightKeys())) {
      return JoinDecision.exchange("a sub-query among the keys of the join");
    } else if (MatchConditions.mayRaise(model)) {
      return JoinDecision.exchange(
          "the condition of a join of type " + model.joinType() + " may raise an error");
    }
    double own = costs.tableBytes(build);
    Map<StageTables.Table, Double> tables = new HashMap<>(stage.ofBuildSide(build));
    tables.putAll(stage.ofStreamed(side.streamed(join)));
    tables.put(StageTables.Table.of(model, side, build), own);
    double all = tables.values().stream().mapToDouble(Double::doubleValue).sum();
    if (all > conf.budget().tables()) {
      return JoinDecision.exchange(conf.whyTooLarge(all));
    } else if (!rows.areReplicable(build)) {
      return JoinDecision.exchange("one task cannot compute the build side out of files alone");
    }
    BuildSize size = new BuildSize((long) costs.rows(build), (long) own, conf.budget().tables());
    return new JoinDecision(
        new ReplicatedJoin(model, side, size, tables, ReplacedExchange.SHUFFLE), "");
  }

  /** Whether there is a sub-query, which Spark replaces in a join's keys but not in our node's. */
  private static boolean hasSubquery(Seq<Expression> keys) {
    return ScalaLists.<Expression>list(keys).stream().anyMatch(SubqueryExpression::hasSubquery);
  }

  /** The side of a join whose rows stay where they are; null where both are shuffled. */
  private @Nullable LogicalPlan streamed(Join join) {
    Optional<ReplicatedJoin> own = choice(join);
    Side build = own.isPresent() ? own.get().side() : selection.broadcastSide(join);
    return build == null ? null : build.streamed(join);
  }
}
