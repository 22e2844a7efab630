package io.mooring.stage.program;

import java.util.List;
import org.apache.spark.sql.catalyst.optimizer.BuildLeft$;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.joins.BroadcastHashJoinExec;
import scala.jdk.javaapi.CollectionConverters;

/** The children of operators in a chain: the streamed one, and a join's build side. */
public final class JoinSides {
  private JoinSides() {}

  /** Whether the left child is the build side. */
  static boolean buildsLeft(BroadcastHashJoinExec join) {
    return join.buildSide() == BuildLeft$.MODULE$;
  }

  /** The child that is broadcast. */
  public static SparkPlan build(BroadcastHashJoinExec join) {
    return buildsLeft(join) ? join.left() : join.right();
  }

  /** The child whose rows an operator streams. */
  public static SparkPlan streamed(SparkPlan operator) {
    if (operator instanceof BroadcastHashJoinExec join) {
      return buildsLeft(join) ? join.right() : join.left();
    }
    return operator.children().head();
  }

  /** The operator over another streamed child. */
  public static SparkPlan withStreamed(SparkPlan operator, SparkPlan streamed) {
    return operator instanceof BroadcastHashJoinExec join
        ? with(join, streamed, build(join))
        : withChildren(operator, List.of(streamed));
  }

  /** The join with other children. */
  public static SparkPlan with(BroadcastHashJoinExec join, SparkPlan streamed, SparkPlan build) {
    return withChildren(
        join, buildsLeft(join) ? List.of(build, streamed) : List.of(streamed, build));
  }

  private static SparkPlan withChildren(SparkPlan operator, List<SparkPlan> children) {
    return operator.withNewChildren(CollectionConverters.asScala(children).toList());
  }
}
