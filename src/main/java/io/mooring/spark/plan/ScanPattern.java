package io.mooring.spark.plan;

import io.mooring.catalyst.TreeNodes;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.optimizer.PushPredicateThroughNonJoin$;
import org.apache.spark.sql.catalyst.plans.logical.Aggregate;
import org.apache.spark.sql.catalyst.plans.logical.Filter;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.execution.datasources.HadoopFsRelation;
import org.apache.spark.sql.execution.datasources.LogicalRelation;
import org.jspecify.annotations.Nullable;

/**
 * A relation of files with the filters and projections right above it, and an aggregate on top of
 * these if there is one.
 *
 * @param root the topmost node
 * @param base the topmost of the filters that are directly above the relation, else the relation
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
    if (node instanceof LogicalRelation relation) {
      return relation.relation() instanceof HadoopFsRelation
          ? new ScanPattern(plan, base, relation)
          : null;
    }
    LogicalPlan files = IcebergRelation.of(node);
    if (files == null) {
      return null;
    }
    LogicalPlan over = TreeNodes.replaceEnd(plan, node, files);
    // A projection that computes columns must not keep conditions from the relation.
    return find(files instanceof Project ? PushPredicateThroughNonJoin$.MODULE$.apply(over) : over);
  }

  public HadoopFsRelation files() {
    return (HadoopFsRelation) relation.relation();
  }

  /** The nodes above the base, the root first; empty when the base is the root. */
  List<LogicalPlan> upper() {
    return between(root, base);
  }

  /** Whether a node of the pattern chooses its output, so that other columns do not leave it. */
  boolean choosesColumns() {
    return upper().stream().anyMatch(node -> node instanceof Project || node instanceof Aggregate);
  }

  /** The conditions of the base's filters, split at each AND, in the order of evaluation. */
  List<Expression> conditions() {
    List<Expression> all = new ArrayList<>();
    for (LogicalPlan node : between(base, relation)) {
      all.addAll(0, TreeNodes.conjuncts(((Filter) node).condition()));
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

  /** The nodes above the base, over another base. */
  LogicalPlan over(LogicalPlan otherBase) {
    return TreeNodes.replaceEnd(root, base, otherBase);
  }
}
