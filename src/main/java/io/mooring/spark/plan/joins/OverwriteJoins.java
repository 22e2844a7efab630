package io.mooring.spark.plan.joins;

import io.mooring.catalyst.ScalaLists;
import io.mooring.spark.plan.Overwrites;
import io.mooring.spark.plan.joins.SparkJoinSelection.Side;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.plans.logical.Aggregate;
import org.apache.spark.sql.catalyst.plans.logical.GlobalLimit;
import org.apache.spark.sql.catalyst.plans.logical.Join;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.RebalancePartitions;
import org.apache.spark.sql.catalyst.plans.logical.RepartitionOperation;
import org.apache.spark.sql.catalyst.plans.logical.ReturnAnswer;
import org.apache.spark.sql.catalyst.plans.logical.Sort;
import org.apache.spark.sql.catalyst.plans.logical.Window;

/**
 * The joins of a write that {@linkplain Overwrites deletes files first} which have no exchange
 * above them: Spark's own exchanges for them have to stay. Belongs to the planning of one query.
 */
final class OverwriteJoins {
  private final SparkJoinSelection selection;
  private final Set<Join> joins = Collections.newSetFromMap(new IdentityHashMap<>());

  private OverwriteJoins(SparkJoinSelection selection) {
    this.selection = selection;
  }

  /** These joins of a query; none where it is no such write. */
  static Set<Join> of(SparkSession session, LogicalPlan query, SparkJoinSelection selection) {
    OverwriteJoins found = new OverwriteJoins(selection);
    found.addWrites(session, query);
    return found.joins;
  }

  private void addWrites(SparkSession session, LogicalPlan plan) {
    for (LogicalPlan child : ScalaLists.<LogicalPlan>list(plan.children())) {
      if (Overwrites.deletesFirst(session, plan)) {
        add(child);
      } else if (plan instanceof ReturnAnswer) {
        addWrites(session, child);
      }
    }
  }

  private void add(LogicalPlan plan) {
    if (plan instanceof Join join) {
      joins.add(join);
      addStreamed(join);
    } else if (!isExchanged(plan)) {
      ScalaLists.<LogicalPlan>list(plan.children()).forEach(this::add);
    }
  }

  /** Adds those of a join's sides that Spark does not exchange. */
  private void addStreamed(Join join) {
    if (selection.isShuffled(join)) {
      return;
    }
    Side broadcast = selection.broadcastSide(join);
    for (Side side : Side.values()) {
      if (side != broadcast) {
        add(side.build(join));
      }
    }
  }

  /** Whether Spark exchanges the rows below a node. */
  private static boolean isExchanged(LogicalPlan plan) {
    return plan instanceof Aggregate
        || plan instanceof Window
        || plan instanceof GlobalLimit
        || plan instanceof RebalancePartitions
        || (plan instanceof Sort sort && sort.global())
        || (plan instanceof RepartitionOperation repartition && repartition.shuffle());
  }
}
