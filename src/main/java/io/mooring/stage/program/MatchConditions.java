package io.mooring.stage.program;

import org.apache.spark.sql.catalyst.plans.LeftExistence;
import org.apache.spark.sql.execution.joins.BroadcastHashJoinExec;

/** The conditions of joins that look for one match of a row: semi, anti and existence joins. */
public final class MatchConditions {
  private MatchConditions() {}

  /**
   * Whether the condition of such a join may raise an error that depends on the kind of join. Spark
   * looks at no further rows once one matches, and a sort-merge join comes to them in another order
   * than a hash join.
   */
  public static boolean mayRaise(BroadcastHashJoinExec join) {
    return LeftExistence.unapply(join.joinType()).isDefined()
        && join.condition().isDefined()
        && RaisedErrors.mayRaise(join.condition().get());
  }
}
