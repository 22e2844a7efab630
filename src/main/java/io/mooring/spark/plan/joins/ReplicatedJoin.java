package io.mooring.spark.plan.joins;

import io.mooring.catalyst.ScalaLists;
import io.mooring.spark.plan.joins.SparkJoinSelection.Side;
import io.mooring.stage.replicated.BuildSize;
import io.mooring.stage.replicated.ReplacedExchange;
import io.mooring.stage.replicated.ReplicatedExec;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.joins.BroadcastHashJoinExec;
import scala.collection.immutable.Seq;

/**
 * A join that is executed without an exchange.
 *
 * @param model Spark's join, with the side broadcast
 * @param side that every executor reads
 * @param size of that side
 * @param tables of the join and of those below in its stage, with their estimated bytes
 * @param replaced what Spark would plan for that side
 */
record ReplicatedJoin(
    BroadcastHashJoinExec model,
    Side side,
    BuildSize size,
    Map<StageTables.Table, Double> tables,
    ReplacedExchange replaced) {

  /** The same join in place of an exchange. */
  ReplicatedJoin insteadOf(ReplacedExchange exchange) {
    return new ReplicatedJoin(model, side, size, tables, exchange);
  }

  /** Spark's join over the side that every executor reads. */
  SparkPlan plan() {
    return side == Side.LEFT
        ? with(build(model.left(), model.leftKeys()), model.right())
        : with(model.left(), build(model.right(), model.rightKeys()));
  }

  private SparkPlan build(SparkPlan read, Seq<Expression> keys) {
    return new ReplicatedExec(read, keys, size, replaced);
  }

  private SparkPlan with(SparkPlan left, SparkPlan right) {
    return model.withNewChildren(ScalaLists.seq(List.of(left, right)));
  }
}
