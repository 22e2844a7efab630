package io.mooring.stage.program;

import io.mooring.catalyst.ScalaLists;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.apache.spark.sql.catalyst.plans.InnerLike;
import org.apache.spark.sql.catalyst.plans.LeftOuter$;
import org.apache.spark.sql.catalyst.plans.RightOuter$;
import org.apache.spark.sql.execution.BaseLimitExec;
import org.apache.spark.sql.execution.CoalesceExec;
import org.apache.spark.sql.execution.FilterExec;
import org.apache.spark.sql.execution.ProjectExec;
import org.apache.spark.sql.execution.SortExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.TakeOrderedAndProjectExec;
import org.apache.spark.sql.execution.joins.BroadcastHashJoinExec;
import org.apache.spark.sql.execution.window.WindowExec;

/** What becomes of the order of rows in the operators of a chain on the GPU. */
final class OperatorOrder {
  private OperatorOrder() {}

  /**
   * A chain with a sort above each operator whose order the operators above need and the GPU loses.
   *
   * @param groups the node below the chain
   * @param needed whether the order of the chain's results is needed
   */
  static SparkPlan sorted(SparkPlan node, SparkPlan groups, boolean needed) {
    if (node == groups) {
      return node;
    }
    SparkPlan streamed = JoinSides.streamed(node);
    SparkPlan below = sorted(streamed, groups, isNeededBelow(node, needed));
    SparkPlan same = below == streamed ? node : JoinSides.withStreamed(node, below);
    return needed && loses(node) ? new SortExec(node.outputOrdering(), false, same, 0) : same;
  }

  private static boolean isNeededBelow(SparkPlan operator, boolean needed) {
    // Which rows a limit keeps follows from their order.
    return operator instanceof BaseLimitExec || (needed && preserves(operator));
  }

  private static boolean loses(SparkPlan operator) {
    boolean sorts =
        operator instanceof SortExec
            || operator instanceof TakeOrderedAndProjectExec
            || (operator instanceof WindowExec window && sortsAsSpark(window));
    return !sorts && !preserves(operator) && !operator.outputOrdering().isEmpty();
  }

  /**
   * Whether the GPU sorts the rows of a window, and Spark's have no further order of their child's.
   */
  private static boolean sortsAsSpark(WindowExec window) {
    int keys = window.partitionSpec().size() + window.orderSpec().size();
    return window.outputOrdering().size() <= keys
        && WindowFrame.anyRuns(ScalaLists.list(window.windowExpression()));
  }

  /** Whether an operator gives rows in the order of its streamed ones, on the GPU as in Spark. */
  private static boolean preserves(SparkPlan operator) {
    return operator instanceof ProjectExec
        || operator instanceof FilterExec
        || operator instanceof BaseLimitExec
        || operator instanceof CoalesceExec
        || (operator instanceof BroadcastHashJoinExec join && !pairsRows(join));
  }

  /** Whether a join makes a row for each match, which the GPU does in any order. */
  private static boolean pairsRows(BroadcastHashJoinExec join) {
    return join.joinType() instanceof InnerLike
        || join.joinType().equals(LeftOuter$.MODULE$)
        || join.joinType().equals(RightOuter$.MODULE$);
  }

  /**
   * The sorts whose order the operators above preserve or need. Others are there for operators that
   * the GPU computes without an order, such as windows.
   *
   * @param operators bottom first
   */
  static Set<SparkPlan> effectiveSorts(List<SparkPlan> operators) {
    Set<SparkPlan> sorts = Collections.newSetFromMap(new IdentityHashMap<>());
    boolean needed = true;
    for (int i = operators.size() - 1; i >= 0; i--) {
      SparkPlan operator = operators.get(i);
      if (operator instanceof SortExec && needed) {
        sorts.add(operator);
      }
      needed = isNeededBelow(operator, needed);
    }
    return sorts;
  }
}
