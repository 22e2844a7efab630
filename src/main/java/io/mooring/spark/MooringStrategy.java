package io.mooring.spark;

import io.mooring.scan.SessionConf;
import java.util.List;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.planning.GenericStrategy;
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
 * relation. Of scans that others do, the names tell why. Thread-safe.
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
    ForeignScan foreign = ForeignScan.find(plan);
    if (chain == null && foreign == null) {
      return Trees.seq(List.of());
    }
    try {
      SessionConf.warnOfUnread(session);
      SwapSettings settings = SwapSettings.of(session);
      if (foreign != null && settings.explain()) {
        return Trees.seq(explained(foreign));
      }
      return Trees.seq(
          chain != null && settings.concern(chain) ? List.of(planned(chain, settings)) : List.of());
    } catch (RuntimeException | LinkageError e) {
      // Whatever is wrong, Spark's own strategies can still plan the relation.
      LOG.warn("Mooring could not plan a scan and leaves it to Spark", e);
      return Trees.seq(List.of());
    }
  }

  /** As all other strategies plan it; what they leave for later is asked for again. */
  private List<SparkPlan> explained(ForeignScan foreign) {
    var strategies = session.sessionState().planner().strategies();
    for (GenericStrategy<SparkPlan> strategy : Trees.list(strategies)) {
      Seq<SparkPlan> plans =
          strategy instanceof MooringStrategy
              ? Trees.seq(List.of())
              : strategy.apply(foreign.plan());
      if (plans.nonEmpty()) {
        return List.of(ExplainedScans.of(plans.head(), foreign.reason()));
      }
    }
    return List.of();
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
