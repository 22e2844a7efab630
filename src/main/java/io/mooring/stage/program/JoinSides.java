package io.mooring.stage.program;

import java.util.List;
import org.apache.spark.sql.catalyst.optimizer.BuildLeft$;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.joins.BroadcastHashJoinExec;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Which child of an operator in a chain its rows come from, and which child of a join is a table.
 */
public final class JoinSides {
  private JoinSides() {}

  /** Whether the left child is what the rows of the right one are looked up in. */
  static boolean buildsLeft(BroadcastHashJoinExec join) {
    return join.buildSide() == BuildLeft$.MODULE$;
  }

  /** The child whose broadcast the rows of the other are looked up in. */
  public static SparkPlan build(BroadcastHashJoinExec join) {
    return buildsLeft(join) ? join.left() : join.right();
  }

  /** The child whose rows go through an operator. */
  public static SparkPlan streamed(SparkPlan operator) {
    if (operator instanceof BroadcastHashJoinExec join) {
      return buildsLeft(join) ? join.right() : join.left();
    }
    return operator.children().head();
  }

  /** An operator with another child whose rows go through it. */
  public static SparkPlan withStreamed(SparkPlan operator, SparkPlan streamed) {
    return operator instanceof BroadcastHashJoinExec join
        ? with(join, streamed, build(join))
        : withChildren(operator, List.of(streamed));
  }

  /** A join with other children. */
  public static SparkPlan with(BroadcastHashJoinExec join, SparkPlan streamed, SparkPlan build) {
    return withChildren(
        join, buildsLeft(join) ? List.of(build, streamed) : List.of(streamed, build));
  }

  private static SparkPlan withChildren(SparkPlan operator, List<SparkPlan> children) {
    return operator.withNewChildren(CollectionConverters.asScala(children).toList());
  }
}
