package io.mooring.spark.plan.joins;

import io.mooring.catalyst.ScalaLists;
import io.mooring.spark.plan.Overwrites;
import io.mooring.spark.plan.joins.SparkJoinSelection.Side;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.plans.logical.Aggregate;
import org.apache.spark.sql.catalyst.plans.logical.Expand;
import org.apache.spark.sql.catalyst.plans.logical.Filter;
import org.apache.spark.sql.catalyst.plans.logical.Generate;
import org.apache.spark.sql.catalyst.plans.logical.Join;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.catalyst.plans.logical.RebalancePartitions;
import org.apache.spark.sql.catalyst.plans.logical.RepartitionByExpression;
import org.apache.spark.sql.catalyst.plans.logical.ReturnAnswer;
import org.apache.spark.sql.catalyst.plans.logical.Union;
import org.apache.spark.sql.catalyst.plans.logical.Window;
import org.apache.spark.sql.execution.datasources.HadoopFsRelation;
import org.apache.spark.sql.execution.datasources.LogicalRelation;

/**
 * The joins of a query that {@linkplain Overwrites changes files before its last stage} which may
 * have no exchange above them: they stay as Spark plans them. Belongs to the planning of one query.
 */
final class OverwriteJoins {
  private final SparkJoinSelection selection;
  private final Set<Join> joins = Collections.newSetFromMap(new IdentityHashMap<>());

  private OverwriteJoins(SparkJoinSelection selection) {
    this.selection = selection;
  }

  /** These joins of a query; none of most queries. */
  static Set<Join> of(SparkSession session, LogicalPlan query, SparkJoinSelection selection) {
    OverwriteJoins found = new OverwriteJoins(selection);
    LogicalPlan write = query instanceof ReturnAnswer answer ? answer.child() : query;
    Overwrites.of(session, write).forEach(each -> children(each).forEach(found::add));
    return found.joins;
  }

  private static List<LogicalPlan> children(LogicalPlan plan) {
    return ScalaLists.list(plan.children());
  }

  private void add(LogicalPlan plan) {
    if (plan instanceof Join join) {
      joins.add(join);
      addStreamed(join);
    } else if (!isExchanged(plan)) {
      children(plan).forEach(this::add);
    }
  }

  /** Adds those of a join's sides that Spark may leave where they are. */
  private void addStreamed(Join join) {
    boolean shuffled = selection.isShuffled(join);
    Side broadcast = shuffled ? null : selection.broadcastSide(join);
    for (Side side : Side.values()) {
      LogicalPlan rows = side.build(join);
      if (side != broadcast && !(shuffled && arePartitionedAnyhow(rows))) {
        add(rows);
      }
    }
  }

  /** Whether Spark is certain to exchange the rows below a node. */
  private static boolean isExchanged(LogicalPlan plan) {
    return takesKeysTogether(plan) && arePartitionedAnyhow(children(plan).get(0));
  }

  /** Whether a node requires that equal keys lie in one partition. */
  private static boolean takesKeysTogether(LogicalPlan plan) {
    return (plan instanceof Aggregate groups && groups.groupingExpressions().nonEmpty())
        || (plan instanceof Window window && window.partitionSpec().nonEmpty())
        || plan instanceof RepartitionByExpression
        || plan instanceof RebalancePartitions;
  }

  /**
   * Whether the rows of a plan are certain to lie in partitions that an operator with keys cannot
   * take as they are: those of files, not those of buckets or of a single task. Exchanges in
   * between do no harm.
   */
  private static boolean arePartitionedAnyhow(LogicalPlan plan) {
    if (plan instanceof LogicalRelation relation) {
      return relation.relation() instanceof HadoopFsRelation files && files.bucketSpec().isEmpty();
    }
    boolean keeps =
        plan instanceof Project
            || plan instanceof Filter
            || plan instanceof Generate
            || plan instanceof Expand
            || plan instanceof Union
            || plan instanceof Join
            || takesKeysTogether(plan);
    return keeps && children(plan).stream().allMatch(OverwriteJoins::arePartitionedAnyhow);
  }
}
