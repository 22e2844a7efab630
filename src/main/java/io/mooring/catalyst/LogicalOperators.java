package io.mooring.catalyst;

import org.apache.spark.sql.catalyst.plans.logical.Filter;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.catalyst.plans.logical.Window;
import org.apache.spark.sql.catalyst.plans.logical.WindowGroupLimit;

/** Kinds of logical operators. */
public final class LogicalOperators {
  private LogicalOperators() {}

  /** Whether each row of an operator is one of its only child's, with the same or other columns. */
  public static boolean passesRows(LogicalPlan plan) {
    return plan instanceof Project
        || plan instanceof Filter
        || plan instanceof Window
        || plan instanceof WindowGroupLimit;
  }
}
