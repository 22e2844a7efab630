package io.mooring.spark.plan.joins;

import io.mooring.catalyst.LogicalOperators;
import io.mooring.catalyst.ScalaLists;
import io.mooring.catalyst.TreePatterns;
import io.mooring.spark.plan.ExactAggregates;
import io.mooring.spark.plan.ScanEligibility;
import io.mooring.spark.plan.ScanFilters;
import io.mooring.spark.plan.ScanPattern;
import io.mooring.spark.plan.ScanRewriteConf;
import io.mooring.spark.plan.UnsupportedScanException;
import io.mooring.stage.program.SupportedAggregates;
import java.util.IdentityHashMap;
import java.util.Map;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.FileSourceOptions;
import org.apache.spark.sql.catalyst.expressions.DynamicPruning;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.plans.logical.Aggregate;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;

/**
 * Decides which relations and aggregates every executor can compute by itself, so that all find the
 * same rows. Belongs to one thread, and to the planning of one query.
 */
final class BuildSideEligibility {
  private final SparkSession session;
  private final ReplicatedJoinConf conf;
  private final boolean listed;
  // Each join asks for the relations below it.
  private final Map<LogicalPlan, Boolean> relations = new IdentityHashMap<>();

  /**
   * @param listed whether table formats have chosen the files of their relations
   */
  BuildSideEligibility(SparkSession session, ReplicatedJoinConf conf, boolean listed) {
    this.session = session;
    this.conf = conf;
    this.listed = listed;
  }

  /**
   * Whether Mooring scans a relation, and reads the same rows of it each time.
   *
   * @param pattern that of the plan
   */
  boolean allows(LogicalPlan plan, ScanPattern pattern) {
    return relations.computeIfAbsent(plan, it -> isReadAlike(pattern));
  }

  private boolean isReadAlike(ScanPattern pattern) {
    FileSourceOptions options = new FileSourceOptions(pattern.files().options());
    if (!ScanRewriteConf.of(session).take(pattern)
        || options.ignoreCorruptFiles()
        || options.ignoreMissingFiles()) {
      return false;
    }
    try {
      ScanEligibility scan = new ScanEligibility(pattern, ScanFilters.of(session, pattern));
      if (listed) {
        scan.check();
      } else {
        scan.checkBeforeListing();
      }
      return true;
    } catch (UnsupportedScanException e) {
      return false;
    }
  }

  /**
   * Whether an aggregate may be part of a build side. Where costs count, the GPU has to compute it:
   * without one, a single task of each executor would merge all groups on one core.
   */
  boolean allows(Aggregate aggregate) {
    return ExactAggregates.isExact(aggregate) && isOnGpu(aggregate);
  }

  /** Whether the GPU computes an aggregate, where costs count. */
  boolean isOnGpu(Aggregate aggregate) {
    return !conf.weighsCosts() || (conf.groups() && SupportedAggregates.supports(aggregate));
  }

  /** Whether the rows of a plan are the groups of an aggregate. */
  static boolean givesGroups(LogicalPlan plan) {
    return plan instanceof Aggregate
        || (LogicalOperators.passesRows(plan) && givesGroups(plan.children().head()));
  }

  /** Whether a plan prunes partitions by the values of a broadcast, which has to be Spark's own. */
  static boolean prunesDynamically(LogicalPlan plan) {
    return TreePatterns.mayPruneDynamically(plan) && hasPruning(plan);
  }

  private static boolean hasPruning(LogicalPlan plan) {
    return ScalaLists.<Expression>list(plan.expressions()).stream()
            .anyMatch(BuildSideEligibility::hasPruning)
        || ScalaLists.<LogicalPlan>list(plan.children()).stream()
            .anyMatch(BuildSideEligibility::hasPruning);
  }

  private static boolean hasPruning(Expression expression) {
    return expression instanceof DynamicPruning
        || ScalaLists.<Expression>list(expression.children()).stream()
            .anyMatch(BuildSideEligibility::hasPruning);
  }
}
