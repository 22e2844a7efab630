package io.mooring.spark.plan.delta;

import io.mooring.catalyst.ScalaLists;
import io.mooring.catalyst.TreeNodes;
import io.mooring.catalyst.TreePatterns;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.SubqueryExpression;
import org.apache.spark.sql.catalyst.plans.logical.Aggregate;
import org.apache.spark.sql.catalyst.plans.logical.LocalLimit;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.jspecify.annotations.Nullable;
import scala.PartialFunction;

/** The scans of Delta tables in a query and its sub-queries. Belongs to one thread. */
final class DeltaTableScans {
  private final Map<LogicalPlan, DeltaTableScan> byPlan = new IdentityHashMap<>();
  private final Set<Object> leftTables = new HashSet<>();

  DeltaTableScans(LogicalPlan plan) {
    find(plan, null);
  }

  private void find(LogicalPlan plan, @Nullable LogicalPlan parent) {
    DeltaTableScan scan = DeltaTableScan.find(plan);
    if (scan == null) {
      ScalaLists.<LogicalPlan>list(plan.children()).forEach(child -> find(child, plan));
      findSubqueries(plan);
      return;
    }
    if (scan.lasts() && !isForDelta(scan, parent)) {
      byPlan.put(plan, scan);
    } else {
      leftTables.add(scan.table());
    }
    TreeNodes.forEach(plan, this::findSubqueries);
  }

  private void findSubqueries(LogicalPlan plan) {
    if (TreePatterns.mayHoldSubquery(plan)) {
      ScalaLists.<LogicalPlan>list(plan.subqueries()).forEach(it -> find(it, null));
    }
  }

  /**
   * Whether a scan is left to Delta Lake: it may answer an aggregate of the whole table from the
   * log, and needs fewer files below a limit.
   */
  private static boolean isForDelta(DeltaTableScan scan, @Nullable LogicalPlan parent) {
    return parent instanceof LocalLimit
        || (parent instanceof Aggregate aggregate
            && aggregate.groupingExpressions().isEmpty()
            && scan.conditions().isEmpty());
  }

  /** All scans whose files Delta Lake need not choose itself, so that all read one version. */
  List<DeltaTableScan> all() {
    return byPlan.values().stream().filter(it -> !leftTables.contains(it.table())).toList();
  }

  /**
   * A plan with others in place of its scans.
   *
   * @param others gives null for a scan that stays
   */
  LogicalPlan replaced(LogicalPlan plan, Function<DeltaTableScan, @Nullable LogicalPlan> others) {
    PartialFunction<Expression, Expression> subqueries =
        TreeNodes.replacement(expression -> replaced(expression, others));
    DeltaTableScan scan = byPlan.get(plan);
    LogicalPlan other = scan == null ? null : others.apply(scan);
    if (other != null) {
      return TreePatterns.mayHoldSubquery(plan)
          ? (LogicalPlan) other.transformAllExpressions(subqueries)
          : other;
    }
    LogicalPlan same = TreeNodes.mapChildren(plan, child -> replaced(child, others));
    return TreePatterns.mayHoldSubquery(plan)
        ? (LogicalPlan) same.transformExpressions(subqueries)
        : same;
  }

  private @Nullable Expression replaced(
      Expression expression, Function<DeltaTableScan, @Nullable LogicalPlan> others) {
    if (!(expression instanceof SubqueryExpression subquery)) {
      return null;
    }
    LogicalPlan plan = subquery.plan();
    LogicalPlan other = replaced(plan, others);
    return other == plan ? null : subquery.withNewPlan(other);
  }
}
