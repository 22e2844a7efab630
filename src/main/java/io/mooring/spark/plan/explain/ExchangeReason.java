package io.mooring.spark.plan.explain;

import org.apache.spark.sql.catalyst.plans.logical.Aggregate;
import org.apache.spark.sql.catalyst.plans.logical.Join;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.trees.TreeNodeTag;

/** The reason why a join needs an exchange, on the logical plans of its two sides. */
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
    if (reason.isEmpty() || side instanceof Aggregate) {
      side.unsetTagValue(REASON);
    } else {
      side.setTagValue(REASON, reason);
    }
  }

  /**
   * The reason why a plan's rows are exchanged for the join above it; empty where there is none.
   */
  public static String of(LogicalPlan side) {
    return side.getTagValue(REASON).getOrElse(() -> "");
  }
}
