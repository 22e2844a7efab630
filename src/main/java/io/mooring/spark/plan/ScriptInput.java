package io.mooring.spark.plan;

import io.mooring.catalyst.ScalaLists;
import io.mooring.catalyst.TreeNodes;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.ScriptTransformation;
import org.apache.spark.sql.catalyst.trees.TreeNodeTag;

/**
 * The relations whose rows a script may read ({@code TRANSFORM}). Spark feeds a script on a thread
 * of its own and does not wait for it when the task ends. Where a query needs no more rows, as with
 * {@code LIMIT}, that thread and its script remain blocked for as long as the process lives, and so
 * would the host memory of the batch. Strategies see only what is below a node, so the relations
 * are marked when the whole plan comes by.
 */
final class ScriptInput {
  static final String REASON = "a script may read its rows after the end of the task";

  private static final TreeNodeTag<Boolean> READ = new TreeNodeTag<>("mooring.script.input");

  private ScriptInput() {}

  /** Marks the relations, of any kind, of a query that is about to be planned. */
  static void mark(LogicalPlan whole) {
    TreeNodes.forEach(
        whole,
        node -> {
          if (node instanceof ScriptTransformation) {
            ScalaLists.<LogicalPlan>list(node.collectLeaves()).forEach(ScriptInput::add);
          }
        });
  }

  static void add(LogicalPlan relation) {
    relation.setTagValue(READ, true);
  }

  static boolean includes(LogicalPlan relation) {
    return relation.getTagValue(READ).isDefined();
  }
}
