package io.mooring.spark.plan.explain;

import org.apache.spark.sql.catalyst.plans.logical.Aggregate;
import org.apache.spark.sql.catalyst.plans.logical.Join;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.trees.TreeNodeTag;
import org.apache.spark.sql.execution.SparkPlan;

/**
 * The reason why a join or an aggregate needs an exchange, on the logical plans of the join's two
 * sides, or on that of the aggregate.
 */
public final class ExchangeReason {
  private static final TreeNodeTag<String> REASON = new TreeNodeTag<>("mooring.exchange.reason");

  private ExchangeReason() {}

  /** Sets the reason for both sides of a join; an empty one removes an earlier reason. */
  public static void set(Join join, String reason) {
    set(join.left(), reason);
    set(join.right(), reason);
  }

  private static void set(LogicalPlan side, String reason) {
    // An aggregate has an exchange of its own between the scan and the join.
    if (!(side instanceof Aggregate)) {
      setTag(side, reason);
    }
  }

  /** Sets the reason for the groups of an aggregate; an empty one removes an earlier reason. */
  public static void set(Aggregate aggregate, String reason) {
    setTag(aggregate, reason);
  }

  private static void setTag(LogicalPlan plan, String reason) {
    if (reason.isEmpty()) {
      plan.unsetTagValue(REASON);
    } else {
      plan.setTagValue(REASON, reason);
    }
  }

  /** The reason why a plan's rows are exchanged; empty where there is none. */
  public static String of(LogicalPlan plan) {
    return plan.getTagValue(REASON).getOrElse(() -> "");
  }

  /** The reason for a node's plan; empty where there is none, or where the plan is not known. */
  public static String of(SparkPlan node) {
    LogicalPlan plan = node.logicalLink().getOrElse(() -> null);
    return plan == null ? "" : of(plan);
  }
}
