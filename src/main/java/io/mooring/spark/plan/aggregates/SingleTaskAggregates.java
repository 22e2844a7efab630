package io.mooring.spark.plan.aggregates;

import io.mooring.spark.plan.Overwrites;
import io.mooring.spark.plan.SingleTaskConf;
import io.mooring.stage.program.LateColumns;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.exchange.ValidateRequirements;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has one task compute aggregates as a whole on its GPU, where that takes less time than exchanges
 * of partial groups. Applies to a plan that has its exchanges: that of a query or, under adaptive
 * execution, what is left of it after each query stage. Thread-safe.
 */
public final class SingleTaskAggregates extends Rule<SparkPlan> {
  private static final Logger LOG = LoggerFactory.getLogger(SingleTaskAggregates.class);

  private final SparkSession session;

  public SingleTaskAggregates(SparkSession session) {
    this.session = session;
  }

  @Override
  public SparkPlan apply(SparkPlan plan) {
    try {
      SingleTaskConf conf = SingleTaskConf.of(session);
      return conf.isOn() ? applied(plan, conf) : plan;
    } catch (Exception | LinkageError e) {
      // Whatever is wrong, Spark can execute the plan as it is.
      LOG.warn("Mooring could not look for aggregates of one task; Spark exchanges groups", e);
      return plan;
    }
  }

  private SparkPlan applied(SparkPlan plan, SingleTaskConf conf) {
    LateColumns.mark(plan);
    ExchangeRemoval removal = new ExchangeRemoval(conf);
    SparkPlan applied =
        Overwrites.is(session, plan)
            ? removal.appliedToOverwrite(plan)
            : SmallSorts.applied(removal.applied(plan));
    if (applied == plan || ValidateRequirements.validate(applied)) {
      return applied;
    }
    LOG.warn("A plan needs exchanges that aggregates of one task would not have; they stay");
    return plan;
  }
}
