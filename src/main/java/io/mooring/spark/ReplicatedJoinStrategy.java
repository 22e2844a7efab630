package io.mooring.spark;

import java.util.List;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.plans.logical.Join;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.SparkStrategy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.collection.immutable.Seq;

/**
 * Plans joins on equal keys without an exchange, where one side is made of files that every
 * executor can read itself at less cost than exchanging both: as Spark's own broadcast hash join,
 * over a broadcast that executors make themselves. Thread-safe.
 */
final class ReplicatedJoinStrategy extends SparkStrategy {
  private static final Logger LOG = LoggerFactory.getLogger(ReplicatedJoinStrategy.class);

  private final SparkSession session;

  ReplicatedJoinStrategy(SparkSession session) {
    this.session = session;
  }

  @Override
  public Seq<SparkPlan> apply(LogicalPlan plan) {
    if (!(plan instanceof Join join)) {
      return Trees.seq(List.of());
    }
    try {
      ReplicatedSettings settings = ReplicatedSettings.of(session);
      if (!settings.isOn()) {
        return Trees.seq(List.of());
      }
      SparkPlan planned = new ReplicatedJoins(session, settings).planned(join);
      return Trees.seq(planned == null ? List.of() : List.of(planned));
    } catch (RuntimeException | LinkageError e) {
      // Whatever is wrong, Spark's own strategies can still plan the join.
      LOG.warn("Mooring could not plan a join without an exchange and leaves it to Spark", e);
      return Trees.seq(List.of());
    }
  }
}
