package io.mooring.spark.plan;

import io.mooring.catalyst.TreeNodes;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.spark.sql.catalyst.expressions.ExprId;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.trees.TreeNodeTag;
import org.apache.spark.sql.execution.datasources.LogicalRelation;

/**
 * The sub-queries by which the scan of a relation prunes partitions. Adaptive execution plans a
 * query several times, and knows only the sub-queries of the first plan. If Spark's own scan was in
 * that plan, because no executor had told of a GPU yet, later plans have no such sub-queries.
 * Thread-safe.
 */
final class RuntimeSubqueries {
  private static final TreeNodeTag<RuntimeSubqueries> OF_RELATION =
      new TreeNodeTag<>("mooring.runtime.subqueries");

  private final Set<ExprId> known = ConcurrentHashMap.newKeySet();
  private volatile boolean plannedAgain;

  private RuntimeSubqueries() {}

  /** Marks the relations of a query that is about to be planned, for the first time or again. */
  static void mark(LogicalPlan whole) {
    Set<LogicalPlan> relations = Collections.newSetFromMap(new IdentityHashMap<>());
    TreeNodes.forEach(
        whole,
        node -> {
          if (node instanceof LogicalRelation) {
            relations.add(node);
          }
        });
    for (LogicalPlan relation : relations) {
      if (relation.getTagValue(OF_RELATION).isDefined()) {
        relation.getTagValue(OF_RELATION).get().plannedAgain = true;
      } else {
        relation.setTagValue(OF_RELATION, new RuntimeSubqueries());
      }
    }
  }

  static RuntimeSubqueries of(LogicalPlan relation) {
    return relation.getTagValue(OF_RELATION).getOrElse(RuntimeSubqueries::new);
  }

  /** Whether the scan can prune by a sub-query. */
  boolean canPruneBy(ExprId subquery) {
    if (!plannedAgain) {
      known.add(subquery);
    }
    return known.contains(subquery);
  }

  /** The name of the sub-query that the scan has for one of the query: the same in each plan. */
  static ExprId ofScan(ExprId subquery) {
    return new ExprId(~subquery.id(), subquery.jvmId());
  }
}
