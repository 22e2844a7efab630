package io.mooring.spark.plan;

import io.mooring.catalyst.ScalaLists;
import io.mooring.catalyst.TreeNodes;
import io.mooring.scan.delta.DeltaFormat;
import io.mooring.scan.iceberg.IcebergFormat;
import io.mooring.session.SessionConf;
import io.mooring.spark.plan.explain.ExchangeReason;
import io.mooring.spark.plan.explain.ExplainedScans;
import io.mooring.spark.plan.explain.ForeignScan;
import java.util.List;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.expressions.DynamicPruningSubquery;
import org.apache.spark.sql.catalyst.optimizer.PushDownPredicates$;
import org.apache.spark.sql.catalyst.planning.GenericStrategy;
import org.apache.spark.sql.catalyst.plans.logical.Aggregate;
import org.apache.spark.sql.catalyst.plans.logical.Filter;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.ReturnAnswer;
import org.apache.spark.sql.execution.FilterExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.SparkStrategy;
import org.apache.spark.sql.execution.datasources.FileFormat;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.collection.immutable.Seq;

/**
 * Plans Parquet relations, with the filters, columns and aggregate right above them, as scans of
 * Mooring. It works on the optimized plan, so that everything Spark decides before (statistics,
 * join order, merged sub-queries, dynamic pruning, cached plans) is decided on Spark's own
 * relation. The names of other scans tell why Mooring does not read them. Thread-safe.
 */
public final class MooringScanStrategy extends SparkStrategy {
  private static final Logger LOG = LoggerFactory.getLogger(MooringScanStrategy.class);

  private final SparkSession session;

  public MooringScanStrategy(SparkSession session) {
    this.session = session;
  }

  @Override
  public Seq<SparkPlan> apply(LogicalPlan plan) {
    try {
      if (plan instanceof ReturnAnswer) {
        BucketUse.mark(plan);
        RuntimeSubqueries.mark(plan);
        ScriptInput.mark(plan);
      }
      ScanPattern pattern = pattern(plan);
      ForeignScan foreign = ForeignScan.find(plan);
      if (pattern == null && foreign == null) {
        return ScalaLists.seq(List.of());
      }
      SessionConf.warnOfUnread(session);
      ScanRewriteConf settings = ScanRewriteConf.of(session);
      if (pattern != null && settings.concern(pattern)) {
        return ScalaLists.seq(planned(plan, pattern, settings));
      }
      return ScalaLists.seq(
          foreign != null && settings.explain()
              ? bySpark(foreign.plan(), foreign.reason())
              : List.of());
    } catch (Exception | LinkageError e) {
      // Whatever is wrong, Spark's own strategies can still plan the relation.
      LOG.warn("Mooring could not plan a scan; Spark plans it", e);
      return ScalaLists.seq(List.of());
    }
  }

  /**
   * The pattern of a plan, with dynamic pruning right above the relation. Where Spark prunes
   * partitions in the sub-query of another pruning, it leaves the filter above projections.
   */
  private static @Nullable ScanPattern pattern(LogicalPlan plan) {
    ScanPattern pattern = ScanPattern.find(plan);
    return pattern == null || pattern.upper().stream().noneMatch(MooringScanStrategy::prunes)
        ? pattern
        : ScanPattern.find(PushDownPredicates$.MODULE$.apply(plan));
  }

  private static boolean prunes(LogicalPlan node) {
    return node instanceof Filter filter
        && TreeNodes.conjuncts(filter.condition()).stream()
            .anyMatch(DynamicPruningSubquery.class::isInstance);
  }

  /**
   * The plan of the first other strategy that has one. Spark asks again for what it leaves for
   * later.
   */
  private List<SparkPlan> bySpark(LogicalPlan plan, String reason) {
    var strategies = session.sessionState().planner().strategies();
    for (GenericStrategy<SparkPlan> strategy : ScalaLists.list(strategies)) {
      Seq<SparkPlan> plans =
          strategy instanceof MooringScanStrategy
              ? ScalaLists.seq(List.of())
              : strategy.apply(plan);
      if (plans.nonEmpty()) {
        return List.of(ExplainedScans.of(plans.head(), reason));
      }
    }
    return List.of();
  }

  private List<SparkPlan> planned(LogicalPlan plan, ScanPattern pattern, ScanRewriteConf settings) {
    ScanRewriter rewriter = new ScanRewriter(session, MetadataColumns.replaced(pattern));
    String problem = settings.problem(pattern);
    if (!problem.isEmpty()) {
      return explained(plan, pattern, problem);
    }
    try {
      SparkPlan scan = physical(rewriter.rewritten());
      checkFilters(scan);
      String exchange = ExchangeReason.of(plan);
      return List.of(exchange.isEmpty() ? scan : ExplainedScans.exchanged(scan, exchange));
    } catch (UnsupportedScanException e) {
      return explained(plan, pattern, e.reason());
    }
  }

  /**
   * Checks that Spark's strategy has given the scan its runtime filters. A strategy of another
   * extension may plan them as filters of rows, which have no such columns.
   */
  private static void checkFilters(SparkPlan plan) throws UnsupportedScanException {
    if (plan instanceof FilterExec filter && filter.missingInput().nonEmpty()) {
      throw new UnsupportedScanException("another extension plans the filters of the query");
    }
    for (SparkPlan child : ScalaLists.<SparkPlan>list(plan.children())) {
      checkFilters(child);
    }
  }

  /** Spark's own plan, with the reason in the scan's name. */
  private List<SparkPlan> explained(LogicalPlan plan, ScanPattern pattern, String reason) {
    FileFormat format = pattern.files().fileFormat();
    if (!DeltaFormat.is(format) && !IcebergFormat.is(format)) {
      return List.of(physical(new ScanRewriter(session, pattern).explained(reason)));
    }
    // Other strategies want the relation as it is, and no aggregate over it: that is planned first.
    return plan instanceof Aggregate ? List.of() : bySpark(plan, reason);
  }

  private SparkPlan physical(LogicalPlan logical) {
    SparkPlan physical = session.sessionState().planner().plan(logical).next();
    // Adaptive execution finds nodes by the logical plan that this strategy was asked for.
    TreeNodes.forEach(physical, node -> node.unsetTagValue(SparkPlan.LOGICAL_PLAN_TAG()));
    return physical;
  }
}
