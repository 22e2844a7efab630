package io.mooring.stage.program;

import java.util.List;
import org.apache.spark.sql.catalyst.optimizer.BuildLeft$;
import org.apache.spark.sql.catalyst.plans.FullOuter$;
import org.apache.spark.sql.execution.SortExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.joins.BroadcastHashJoinExec;
import org.apache.spark.sql.execution.joins.SortMergeJoinExec;
import scala.jdk.javaapi.CollectionConverters;

/**
 * The children of operators in a chain: the streamed one, and a join's build side. The build side
 * of a full outer join is its right child, without the sort that Spark's join needs.
 */
public final class JoinSides {
  private JoinSides() {}

  /** Whether a node is a join that a chain can contain. */
  public static boolean isJoin(SparkPlan node) {
    return node instanceof BroadcastHashJoinExec || isFullOuter(node);
  }

  /** Whether a node is a full outer join. */
  public static boolean isFullOuter(SparkPlan node) {
    return node instanceof SortMergeJoinExec join && join.joinType().equals(FullOuter$.MODULE$);
  }

  /** Whether the left child is the build side. */
  static boolean buildsLeft(BroadcastHashJoinExec join) {
    return join.buildSide() == BuildLeft$.MODULE$;
  }

  /** The build side of a join. */
  public static SparkPlan build(SparkPlan join) {
    if (join instanceof BroadcastHashJoinExec hashed) {
      return buildsLeft(hashed) ? hashed.left() : hashed.right();
    }
    SparkPlan right = join.children().last();
    return isLocalSort(right) ? right.children().head() : right;
  }

  /** Whether a node sorts the rows of each partition. */
  static boolean isLocalSort(SparkPlan node) {
    return node instanceof SortExec sort && !sort.global();
  }

  /** The child whose rows an operator streams. */
  public static SparkPlan streamed(SparkPlan operator) {
    return operator instanceof BroadcastHashJoinExec join && buildsLeft(join)
        ? join.right()
        : operator.children().head();
  }

  /** The operator over another streamed child. */
  public static SparkPlan withStreamed(SparkPlan operator, SparkPlan streamed) {
    return isJoin(operator)
        ? with(operator, streamed, build(operator))
        : withChildren(operator, List.of(streamed));
  }

  /** The join with other children. */
  public static SparkPlan with(SparkPlan join, SparkPlan streamed, SparkPlan build) {
    if (join instanceof BroadcastHashJoinExec hashed && buildsLeft(hashed)) {
      return withChildren(join, List.of(build, streamed));
    }
    return withChildren(join, List.of(streamed, isFullOuter(join) ? sorted(join, build) : build));
  }

  /** A build side in the order that Spark's join needs: on the GPU it loses an order of its own. */
  private static SparkPlan sorted(SparkPlan fullJoin, SparkPlan build) {
    SparkPlan right = fullJoin.children().last();
    return isLocalSort(right)
        ? withChildren(right, List.of(build))
        : new SortExec(fullJoin.requiredChildOrdering().last(), false, build, 0);
  }

  private static SparkPlan withChildren(SparkPlan operator, List<SparkPlan> children) {
    return operator.withNewChildren(CollectionConverters.asScala(children).toList());
  }
}
