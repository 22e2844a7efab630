package io.mooring.spark.plan.aggregates;

import io.mooring.catalyst.ScalaLists;
import java.util.List;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.RepartitionByExpression;
import org.apache.spark.sql.catalyst.trees.TreeNodeTag;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.SparkStrategy;
import scala.collection.immutable.Seq;

/**
 * Marks plans whose rows a query repartitions by columns. Spark leaves such an exchange out where
 * one below gives the same partitions, which must stay then. Plans nothing itself. Thread-safe.
 */
public final class RepartitionedPlans extends SparkStrategy {
  private static final TreeNodeTag<Boolean> REPARTITIONED =
      new TreeNodeTag<>("mooring.repartitioned");

  @Override
  public Seq<SparkPlan> apply(LogicalPlan plan) {
    if (plan instanceof RepartitionByExpression repartition) {
      repartition.child().setTagValue(REPARTITIONED, true);
    }
    return ScalaLists.seq(List.of());
  }

  /** Whether a query repartitions the rows of a node. */
  static boolean isRepartitioned(SparkPlan node) {
    return node.logicalLink().exists(link -> link.getTagValue(REPARTITIONED).isDefined());
  }
}
