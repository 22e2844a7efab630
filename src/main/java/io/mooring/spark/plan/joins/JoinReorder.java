package io.mooring.spark.plan.joins;

import io.mooring.catalyst.TreeNodes;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.plans.logical.Join;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Joins small filtered relations with the large relation that they belong to before it is joined
 * with another large one, as in TPC-DS q72: the build side then has few rows, and the join finds
 * few. Spark joins relations in the order of the query's text. Applies where all joins need no
 * exchange before and after. Thread-safe.
 */
public final class JoinReorder extends Rule<LogicalPlan> {
  private static final Logger LOG = LoggerFactory.getLogger(JoinReorder.class);

  private final SparkSession session;

  public JoinReorder(SparkSession session) {
    this.session = session;
  }

  @Override
  public LogicalPlan apply(LogicalPlan plan) {
    try {
      ReplicatedJoinConf settings = ReplicatedJoinConf.of(session);
      boolean byStatistics = conf().cboEnabled() && conf().joinReorderEnabled();
      return settings.isOn() && !byStatistics ? reordered(plan, settings) : plan;
    } catch (Exception | LinkageError e) {
      // The joins are correct in any order.
      LOG.warn("Mooring could not look for a better order of joins; the query's stays", e);
      return plan;
    }
  }

  private LogicalPlan reordered(LogicalPlan plan, ReplicatedJoinConf settings) {
    if (InnerJoins.of(plan) == null) {
      return TreeNodes.mapChildren(plan, it -> reordered(it, settings));
    }
    LogicalPlan top = InnerJoins.mapInputs(plan, it -> reordered(it, settings));
    InnerJoins joins = Objects.requireNonNull(InnerJoins.of(top));
    InnerJoins moved = new SelectiveJoins(joins, settings).moved();
    if (moved == null) {
      return top;
    }
    LogicalPlan other = moved.toPlan();
    return needNoExchange(List.of(top, other), settings) ? other : top;
  }

  /** Whether Spark or Mooring broadcasts a side of each join of some plans. */
  private boolean needNoExchange(List<LogicalPlan> plans, ReplicatedJoinConf settings) {
    ReplicatedJoinPlanner planner =
        ReplicatedJoinPlanner.beforeListing(session, settings, plans.get(0));
    List<Join> joins = new ArrayList<>();
    Consumer<LogicalPlan> visitor =
        node -> {
          if (node instanceof Join join) {
            joins.add(join);
          }
        };
    plans.forEach(plan -> TreeNodes.forEach(plan, visitor));
    return joins.stream().allMatch(planner::needsNoExchange);
  }
}
