package io.mooring.spark.plan.aggregates;

import io.mooring.catalyst.ScalaLists;
import io.mooring.spark.plan.SingleTaskConf;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.physical.UnknownPartitioning;
import org.apache.spark.sql.execution.BaseLimitExec;
import org.apache.spark.sql.execution.CollectLimitExec;
import org.apache.spark.sql.execution.ProjectExec;
import org.apache.spark.sql.execution.SortExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.TakeOrderedAndProjectExec;
import org.apache.spark.sql.execution.UnionExec;
import org.apache.spark.sql.execution.aggregate.BaseAggregateExec;
import org.apache.spark.sql.execution.exchange.BroadcastExchangeExec;
import org.apache.spark.sql.execution.exchange.Exchange;
import org.apache.spark.sql.execution.joins.BroadcastHashJoinExec;
import org.apache.spark.sql.execution.joins.BroadcastNestedLoopJoinExec;
import org.jspecify.annotations.Nullable;

/**
 * What the operators above a node require of its rows.
 *
 * @param anyPartitioning whether they can have the rows in one partition
 * @param exchanged the operator whose rows the nearest exchange takes; null when there is none
 * @param few whether they take few of the rows, or put all in one order
 * @param mostRows that one task may pass to them
 * @param keepExchange whether the next exchange has to stay
 */
record ParentRequirements(
    boolean anyPartitioning,
    @Nullable LogicalPlan exchanged,
    boolean few,
    double mostRows,
    boolean keepExchange) {
  /** No requirement but on the number of rows. */
  static ParentRequirements none(double mostRows) {
    return new ParentRequirements(true, null, false, mostRows, false);
  }

  /** The requirements of a query that changes files before its last stage runs. */
  static ParentRequirements ofOverwrite() {
    return new ParentRequirements(false, null, false, SingleTaskCost.MOST_ROWS, true);
  }

  /** The same where the rows keep their partitions. */
  ParentRequirements ofPartitions() {
    return new ParentRequirements(false, exchanged, few, mostRows, keepExchange);
  }

  /** The requirements of the operators above a node's children, given those above the node. */
  ParentRequirements below(SparkPlan node) {
    if (node instanceof BroadcastExchangeExec) {
      return new ParentRequirements(true, exchanged(node), true, SingleTaskCost.MOST_ROWS, false);
    } else if (node instanceof Exchange) {
      // The operator above an exchange that goes too gets all rows from the one task.
      boolean goes = RemovableExchanges.isRemovable(node) && anyPartitioning;
      return new ParentRequirements(
          true, exchanged(node), few, goes ? mostRows : SingleTaskCost.MOST_ROWS, false);
    } else if (node.children().size() > 1) {
      return new ParentRequirements(
          anyPartitioning && keepsPartitions(node), exchanged, false, mostRows(node), keepExchange);
    }
    boolean orders = node instanceof SortExec sort && sort.global();
    boolean keeps = few && !(node instanceof BaseAggregateExec);
    return new ParentRequirements(
        anyPartitioning, exchanged, orders || limits(node) || keeps, mostRows(node), keepExchange);
  }

  /** The rows that one task may pass to a node. */
  private double mostRows(SparkPlan node) {
    if (node instanceof CollectLimitExec limit
        && limit.limit() >= 0
        && limit.limit() <= SingleTaskCost.MOST_ROWS) {
      // The chain below ends with the same limit.
      return Double.MAX_VALUE;
    } else if (limits(node) || node instanceof BaseAggregateExec) {
      return SingleTaskCost.MOST_ROWS;
    }
    boolean passes =
        node instanceof SortExec
            || node instanceof UnionExec
            || (node instanceof ProjectExec project
                && ScalaLists.<NamedExpression>list(project.projectList()).stream()
                    .allMatch(Attribute.class::isInstance));
    if (!passes) {
      return SingleTaskConf.MOST_ROWS_COMPUTED;
    }
    // No limit reaches the chains below a sort or a union.
    return node instanceof ProjectExec ? mostRows : Math.min(mostRows, SingleTaskCost.MOST_ROWS);
  }

  /** Whether a node keeps some of its rows by their number. */
  static boolean limits(SparkPlan node) {
    return node instanceof TakeOrderedAndProjectExec
        || node instanceof CollectLimitExec
        || node instanceof BaseLimitExec;
  }

  /** Whether a node of several children asks for no partitioning of theirs. */
  private static boolean keepsPartitions(SparkPlan node) {
    return node instanceof BroadcastHashJoinExec
        || node instanceof BroadcastNestedLoopJoinExec
        || (node instanceof UnionExec && node.outputPartitioning() instanceof UnknownPartitioning);
  }

  private static @Nullable LogicalPlan exchanged(SparkPlan exchange) {
    return logical(exchange.children().head());
  }

  /** The plan that a node executes; null when it is not known. */
  static @Nullable LogicalPlan logical(SparkPlan node) {
    return node.logicalLink().getOrElse(() -> null);
  }
}
