package io.mooring.catalyst;

import org.apache.spark.sql.catalyst.trees.TreeNode;
import org.apache.spark.sql.catalyst.trees.TreePattern$;

/**
 * The patterns that Spark keeps with each node of a tree about the nodes below. They include nodes
 * in the plans of sub-queries, so only the answer "no" is certain. It saves a visit of all nodes
 * and expressions.
 */
public final class TreePatterns {
  private TreePatterns() {}

  /** Whether an expression, or one in a plan, may hold a sub-query of any kind. */
  public static boolean mayHoldSubquery(TreeNode<?> tree) {
    return tree.containsPattern(TreePattern$.MODULE$.PLAN_EXPRESSION());
  }

  /** Whether there may be a scalar sub-query that is not planned yet. */
  public static boolean mayHoldScalarSubquery(TreeNode<?> tree) {
    return tree.containsPattern(TreePattern$.MODULE$.SCALAR_SUBQUERY());
  }

  /** Whether there may be a dynamic pruning of partitions. */
  public static boolean mayPruneDynamically(TreeNode<?> tree) {
    return tree.containsPattern(TreePattern$.MODULE$.DYNAMIC_PRUNING_SUBQUERY())
        || tree.containsPattern(TreePattern$.MODULE$.DYNAMIC_PRUNING_EXPRESSION());
  }
}
