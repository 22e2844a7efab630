package io.mooring.stage.replicated;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.execution.CoalesceExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.aggregate.BaseAggregateExec;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Coalesces partitions below final aggregates, which then need no exchange: one task computes all
 * of a build side anyway.
 */
final class CoalesceBelowAggregates {
  private CoalesceBelowAggregates() {}

  /** The plan with a single partition below each final aggregate. */
  static SparkPlan coalesce(SparkPlan plan) {
    List<SparkPlan> children = CollectionConverters.asJava(plan.children());
    List<SparkPlan> gathered = new ArrayList<>();
    boolean same = true;
    for (SparkPlan child : children) {
      SparkPlan below = coalesce(child);
      SparkPlan other = isMet(plan, below) ? below : gathered(below, plan);
      gathered.add(other);
      same &= other == child;
    }
    return same ? plan : plan.withNewChildren(CollectionConverters.asScala(gathered).toList());
  }

  private static SparkPlan gathered(SparkPlan rows, SparkPlan aggregate) {
    CoalesceExec gathered = new CoalesceExec(1, rows);
    // Adaptive execution would refuse a plan with a node that has no logical link.
    if (aggregate.logicalLink().isDefined()) {
      gathered.setLogicalLink(aggregate.logicalLink().get());
    }
    return gathered;
  }

  /**
   * Whether a child's partitioning satisfies an aggregate. Spark ensures that of other operators.
   */
  private static boolean isMet(SparkPlan plan, SparkPlan child) {
    return !(plan instanceof BaseAggregateExec)
        || child.outputPartitioning().satisfies(plan.requiredChildDistribution().head());
  }
}
