package io.mooring.spark.plan;

import io.mooring.catalyst.TreeNodes;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.plans.logical.Aggregate;
import org.apache.spark.sql.catalyst.plans.logical.Filter;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.execution.datasources.HadoopFsRelation;
import org.apache.spark.sql.execution.datasources.LogicalRelation;
import org.jspecify.annotations.Nullable;

/**
 * A file relation with what stands right above it: filters and projections, and an aggregate on top
 * if there is one.
 *
 * @param root the uppermost node
 * @param base the uppermost of the filters that touch the relation, else the relation
 */
public record ScanPattern(LogicalPlan root, LogicalPlan base, LogicalRelation relation) {

  /** Null when the plan is anything else. */
  public static @Nullable ScanPattern find(LogicalPlan plan) {
    LogicalPlan node = plan instanceof Aggregate aggregate ? aggregate.child() : plan;
    LogicalPlan base = node;
    while (node instanceof Project || node instanceof Filter) {
      LogicalPlan child = node.children().head();
      base = node instanceof Project ? child : base;
      node = child;
    }
    return node instanceof LogicalRelation relation
            && relation.relation() instanceof HadoopFsRelation
        ? new ScanPattern(plan, base, relation)
        : null;
  }

  public HadoopFsRelation files() {
    return (HadoopFsRelation) relation.relation();
  }

  /** The nodes above the base, the root first; empty when the base is the root. */
  List<LogicalPlan> upper() {
    return between(root, base);
  }

  /** What the filters of the base demand, taken apart at each AND. */
  List<Expression> conditions() {
    List<Expression> all = new ArrayList<>();
    for (LogicalPlan node : between(base, relation)) {
      all.addAll(TreeNodes.conjuncts(((Filter) node).condition()));
    }
    return all;
  }

  private static List<LogicalPlan> between(LogicalPlan from, LogicalPlan to) {
    List<LogicalPlan> nodes = new ArrayList<>();
    for (LogicalPlan node = from; node != to; node = node.children().head()) {
      nodes.add(node);
    }
    return nodes;
  }

  /** The same relation under another root, which is above the base as well. */
  ScanPattern under(LogicalPlan otherRoot) {
    return new ScanPattern(otherRoot, base, relation);
  }

  /** The nodes above the base over another one. */
  LogicalPlan over(LogicalPlan otherBase) {
    return TreeNodes.replaceEnd(root, base, otherBase);
  }
}
