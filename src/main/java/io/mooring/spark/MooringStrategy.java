package io.mooring.spark;

import io.mooring.scan.SessionConf;
import io.mooring.scan.delta.DeltaFormat;
import java.util.List;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.planning.GenericStrategy;
import org.apache.spark.sql.catalyst.plans.logical.Aggregate;
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
      if (chain != null && settings.concern(chain)) {
        return Trees.seq(planned(chain, settings));
      }
      return Trees.seq(
          foreign != null && settings.explain()
              ? bySpark(foreign.plan(), foreign.reason())
              : List.of());
    } catch (RuntimeException | LinkageError e) {
      // Whatever is wrong, Spark's own strategies can still plan the relation.
      LOG.warn("Mooring could not plan a scan and leaves it to Spark", e);
      return Trees.seq(List.of());
    }
  }

  /** As all other strategies plan it; what they leave for later is asked for again. */
  private List<SparkPlan> bySpark(LogicalPlan plan, String reason) {
    var strategies = session.sessionState().planner().strategies();
    for (GenericStrategy<SparkPlan> strategy : Trees.list(strategies)) {
      Seq<SparkPlan> plans =
          strategy instanceof MooringStrategy ? Trees.seq(List.of()) : strategy.apply(plan);
      if (plans.nonEmpty()) {
        return List.of(ExplainedScans.of(plans.head(), reason));
      }
    }
    return List.of();
  }

  private List<SparkPlan> planned(RelationChain chain, SwapSettings settings) {
    SwapPlanner swap = new SwapPlanner(session, chain);
    String problem = settings.problem(chain);
    if (!problem.isEmpty()) {
      return explained(chain, problem);
    }
    try {
      return List.of(physical(swap.swapped()));
    } catch (SparksToReadException e) {
      return explained(chain, e.reason());
    }
  }

  /** Spark's own plan of a chain, which tells the reason. */
  private List<SparkPlan> explained(RelationChain chain, String reason) {
    if (!DeltaFormat.is(chain.files().fileFormat())) {
      return List.of(physical(new SwapPlanner(session, chain).explained(reason)));
    }
    // Its strategies want the relation as it is, and no aggregate over it: that is planned first.
    return chain.root() instanceof Aggregate ? List.of() : bySpark(chain.root(), reason);
  }

  private SparkPlan physical(LogicalPlan logical) {
    SparkPlan physical = session.sessionState().planner().plan(logical).next();
    // Adaptive execution looks nodes up by the plan that this strategy was asked for.
    Trees.forEach(physical, node -> node.unsetTagValue(SparkPlan.LOGICAL_PLAN_TAG()));
    return physical;
  }
}
