package io.mooring.spark.plan;

import io.mooring.catalyst.ScalaLists;
import io.mooring.catalyst.TreeNodes;
import io.mooring.catalyst.TreePatterns;
import java.util.function.Consumer;
import org.apache.spark.sql.catalyst.expressions.DynamicPruningSubquery;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.plans.logical.Filter;
import org.apache.spark.sql.catalyst.plans.logical.GlobalLimit;
import org.apache.spark.sql.catalyst.plans.logical.LocalLimit;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.catalyst.plans.logical.ReturnAnswer;
import org.apache.spark.sql.catalyst.plans.logical.Sort;
import org.apache.spark.sql.catalyst.trees.TreeNodeTag;
import org.apache.spark.sql.execution.datasources.LogicalRelation;

/**
 * Whether an operator of a query can make use of rows that are read bucket by bucket. Strategies
 * see only what is below a node, so the relations are marked when the whole plan comes by.
 */
final class BucketUse {
  private static final TreeNodeTag<Boolean> RULED_OUT = new TreeNodeTag<>("mooring.no.bucket.use");

  private BucketUse() {}

  /** Marks the relations of a query that is about to be planned. */
  static void mark(LogicalPlan whole) {
    // The rows of a dynamic pruning are planned alone. Its plan has to equal that of the join's
    // side, whose broadcast it uses.
    if (TreePatterns.mayPruneDynamically(whole)) {
      forEachPruning(whole, pruning -> markAll(pruning.buildQuery(), false));
    }
    markAll(whole, isNoUse(whole));
  }

  /** Whether no operator above can use the buckets of a relation; false for one not marked. */
  static boolean isRuledOut(LogicalRelation relation) {
    return relation.getTagValue(RULED_OUT).contains(true);
  }

  private static boolean isNoUse(LogicalPlan plan) {
    return plan instanceof LogicalRelation
        || ((plan instanceof ReturnAnswer
                || plan instanceof Project
                || plan instanceof Filter
                || plan instanceof Sort
                || plan instanceof GlobalLimit
                || plan instanceof LocalLimit)
            && isNoUse(plan.children().head()));
  }

  private static void markAll(LogicalPlan plan, boolean ruledOut) {
    TreeNodes.forEach(
        plan,
        node -> {
          if (node instanceof LogicalRelation && node.getTagValue(RULED_OUT).isEmpty()) {
            node.setTagValue(RULED_OUT, ruledOut);
          }
        });
  }

  private static void forEachPruning(LogicalPlan plan, Consumer<DynamicPruningSubquery> visitor) {
    TreeNodes.forEach(
        plan,
        node ->
            ScalaLists.<Expression>list(node.expressions())
                .forEach(
                    expression -> TreeNodes.forEach(expression, part -> visit(part, visitor))));
  }

  private static void visit(Expression part, Consumer<DynamicPruningSubquery> visitor) {
    if (part instanceof DynamicPruningSubquery pruning) {
      visitor.accept(pruning);
    }
  }
}
