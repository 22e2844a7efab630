package io.mooring.spark.plan.joins;

import io.mooring.catalyst.LogicalOperators;
import io.mooring.catalyst.ScalaLists;
import io.mooring.spark.plan.joins.SparkJoinSelection.Side;
import java.util.Optional;
import java.util.function.Function;
import org.apache.spark.sql.catalyst.plans.logical.Aggregate;
import org.apache.spark.sql.catalyst.plans.logical.Join;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Union;
import org.apache.spark.sql.catalyst.plans.logical.Window;

/**
 * Estimates of the bytes of all build sides that are read without an exchange in one stage.
 *
 * @param choices of joins that are executed without an exchange
 */
record StageBuildBytes(
    SparkJoinSelection selection, Function<Join, Optional<ReplicatedJoin>> choices) {
  /**
   * The bytes of build sides in a build side, whose aggregates and windows are in the same stage.
   */
  double ofBuildSide(LogicalPlan build) {
    return of(build, true);
  }

  /** The bytes of build sides in the rows that a join streams. */
  double ofStreamed(LogicalPlan streamed) {
    return of(streamed, false);
  }

  private double of(LogicalPlan plan, boolean whole) {
    boolean needsAllRows = plan instanceof Aggregate || plan instanceof Window;
    if (needsAllRows ? whole : LogicalOperators.passesRows(plan)) {
      return of(plan.children().head(), whole);
    }
    if (plan instanceof Union) {
      return ScalaLists.<LogicalPlan>list(plan.children()).stream()
          .mapToDouble(child -> of(child, whole))
          .sum();
    }
    if (!(plan instanceof Join join)) {
      return 0;
    }
    Optional<ReplicatedJoin> chosen = choices.apply(join);
    if (chosen.isPresent()) {
      return chosen.get().bytes();
    }
    Side broadcast = selection.broadcastSide(join);
    return broadcast == null ? 0 : of(broadcast.streamed(join), whole);
  }
}
