package io.mooring.spark;

import io.mooring.scan.SessionConf;
import java.util.List;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.SparkStrategy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.collection.immutable.Seq;

/**
 * Plans Parquet relations, with the filters, columns and aggregate right above them, as scans of
 * Mooring. It works on the optimized plan, so that everything Spark decides before (statistics,
 * join order, merged sub-queries, dynamic pruning, cached plans) is decided on Spark's own
 * relation. Thread-safe.
 */
final class MooringStrategy extends SparkStrategy {
  private static final Logger LOG = LoggerFactory.getLogger(MooringStrategy.class);

  private final SparkSession session;

  MooringStrategy(SparkSession session) {
    this.session = session;
  }

  @Override
  public Seq<SparkPlan> apply(LogicalPlan plan) {
    RelationChain chain = RelationChain.find(plan);
    if (chain == null) {
      return Trees.seq(List.of());
    }
    try {
      SessionConf.warnOfUnread(session);
      SwapSettings settings = SwapSettings.of(session);
      return Trees.seq(settings.concern(chain) ? List.of(planned(chain, settings)) : List.of());
    } catch (RuntimeException | LinkageError e) {
      // Whatever is wrong, Spark's own strategies can still plan the relation.
      LOG.warn("Mooring could not plan a scan and leaves it to Spark", e);
      return Trees.seq(List.of());
    }
  }

  private SparkPlan planned(RelationChain chain, SwapSettings settings) {
    SwapPlanner swap = new SwapPlanner(session, chain);
    String problem = settings.problem(chain);
    LogicalPlan logical;
    try {
      logical = problem.isEmpty() ? swap.swapped() : swap.explained(problem);
    } catch (SparksToReadException e) {
      logical = swap.explained(e.reason());
    }
    SparkPlan physical = session.sessionState().planner().plan(logical).next();
    // Adaptive execution looks nodes up by the plan that this strategy was asked for.
    Trees.forEach(physical, node -> node.unsetTagValue(SparkPlan.LOGICAL_PLAN_TAG()));
    return physical;
  }
}
