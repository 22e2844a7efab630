package io.mooring.spark.plan.joins;

import io.mooring.catalyst.TreeNodes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.plans.logical.Join;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.trees.TreeNodeTag;
import org.apache.spark.sql.execution.SparkPlan;
import org.jspecify.annotations.Nullable;

/**
 * The joins of a query while Spark plans it. Spark asks for one join after the other, and each
 * choice depends on those below, so all are asked of one planner. Strategies see only what is below
 * a node: the joins are marked when the whole plan comes by. Thread-safe.
 */
final class QueryJoins {
  private static final TreeNodeTag<QueryJoins> OF_QUERY = new TreeNodeTag<>("mooring.query.joins");

  private final SparkSession session;
  private final Set<Join> joins = Collections.newSetFromMap(new IdentityHashMap<>());
  private final @Nullable ReplicatedJoinPlanner planner;

  /**
   * @param query of which all joins are, or one of them alone
   */
  private QueryJoins(SparkSession session, LogicalPlan query, List<Join> all) {
    ReplicatedJoinConf settings = ReplicatedJoinConf.of(session);
    this.session = session;
    this.planner = settings.isOn() ? new ReplicatedJoinPlanner(session, settings, query) : null;
    joins.addAll(all);
  }

  /** Marks the joins of a query that is about to be planned. */
  static void mark(SparkSession session, LogicalPlan whole) {
    List<Join> all = new ArrayList<>();
    TreeNodes.forEach(
        whole,
        node -> {
          if (node instanceof Join join) {
            all.add(join);
          }
        });
    if (!all.isEmpty()) {
      QueryJoins marked = new QueryJoins(session, whole, all);
      all.forEach(join -> join.setTagValue(OF_QUERY, marked));
    }
  }

  /** The joins of the query that a join is part of, by the settings with which it is planned. */
  static QueryJoins of(SparkSession session, Join join) {
    QueryJoins marked = join.getTagValue(OF_QUERY).getOrElse(() -> null);
    // Spark copies nodes with their tags; the copy may have other children.
    return marked != null
            && marked.session == session
            && (marked.joins.contains(join) || marked.overwrites())
        ? marked
        : new QueryJoins(session, join, List.of(join));
  }

  /** Whether some joins have to keep their exchanges; a copy of a node may be one of them. */
  private boolean overwrites() {
    return planner != null && planner.overwrites();
  }

  /** A join without an exchange; null where Spark plans it. */
  @Nullable SparkPlan planned(Join join) {
    if (planner == null || (planner.overwrites() && !joins.contains(join))) {
      return null;
    }
    return planner.planned(join);
  }

  /** Why a join that Spark plans keeps its exchange; empty where that is not Mooring's choice. */
  String whyExchanged(Join join) {
    return planner == null ? "" : planner.whyExchanged(join);
  }
}
