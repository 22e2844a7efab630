package io.mooring.stage.replicated;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.execution.CoalesceExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.aggregate.BaseAggregateExec;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Plans whose aggregates get all rows of a group without an exchange: one task computes all of a
 * build side anyway.
 */
final class CoalesceBelowAggregates {
  private CoalesceBelowAggregates() {}

  /** The plan with all partitions as one below the aggregates that give results. */
  static SparkPlan in(SparkPlan plan) {
    List<SparkPlan> children = CollectionConverters.asJava(plan.children());
    List<SparkPlan> gathered = new ArrayList<>();
    boolean same = true;
    for (SparkPlan child : children) {
      SparkPlan below = in(child);
      SparkPlan other = isMet(plan, below) ? below : gathered(below, plan);
      gathered.add(other);
      same &= other == child;
    }
    return same ? plan : plan.withNewChildren(CollectionConverters.asScala(gathered).toList());
  }

  private static SparkPlan gathered(SparkPlan rows, SparkPlan aggregate) {
    CoalesceExec gathered = new CoalesceExec(1, rows);
    // Without one there would be no adaptive execution of the query.
    if (aggregate.logicalLink().isDefined()) {
      gathered.setLogicalLink(aggregate.logicalLink().get());
    }
    return gathered;
  }

  /** What other operators need Spark sees to. */
  private static boolean isMet(SparkPlan plan, SparkPlan child) {
    return !(plan instanceof BaseAggregateExec)
        || child.outputPartitioning().satisfies(plan.requiredChildDistribution().head());
  }
}
