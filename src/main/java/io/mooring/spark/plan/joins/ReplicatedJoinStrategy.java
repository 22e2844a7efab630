package io.mooring.spark.plan.joins;

import io.mooring.catalyst.ScalaLists;
import io.mooring.spark.plan.explain.ExchangeReason;
import java.util.List;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.plans.logical.Join;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.ReturnAnswer;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.SparkStrategy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.collection.immutable.Seq;

/**
 * Plans an equi-join without an exchange where every executor can read one side from files at less
 * cost than exchanging both: as Spark's broadcast hash join over a broadcast that each executor
 * makes itself. Thread-safe.
 */
public final class ReplicatedJoinStrategy extends SparkStrategy {
  private static final Logger LOG = LoggerFactory.getLogger(ReplicatedJoinStrategy.class);

  private final SparkSession session;

  public ReplicatedJoinStrategy(SparkSession session) {
    this.session = session;
  }

  @Override
  public Seq<SparkPlan> apply(LogicalPlan plan) {
    try {
      if (plan instanceof ReturnAnswer) {
        QueryJoins.mark(session, plan);
      }
      if (!(plan instanceof Join join)) {
        return ScalaLists.seq(List.of());
      }
      QueryJoins joins = QueryJoins.of(session, join);
      SparkPlan planned = joins.planned(join);
      if (planned == null) {
        ExchangeReason.set(join, joins.whyExchanged(join));
        return ScalaLists.seq(List.of());
      }
      return ScalaLists.seq(List.of(planned));
    } catch (Exception | LinkageError e) {
      // Whatever is wrong, Spark's own strategies can still plan the join.
      LOG.warn("Mooring could not plan a join without an exchange; Spark plans it", e);
      return ScalaLists.seq(List.of());
    }
  }
}
