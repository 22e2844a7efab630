package io.mooring.spark.plan.joins;

import io.mooring.catalyst.LogicalOperators;
import io.mooring.catalyst.ScalaLists;
import io.mooring.spark.plan.joins.SparkJoinSelection.Side;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.package$;
import org.apache.spark.sql.catalyst.plans.LeftExistence;
import org.apache.spark.sql.catalyst.plans.QueryPlan;
import org.apache.spark.sql.catalyst.plans.logical.Aggregate;
import org.apache.spark.sql.catalyst.plans.logical.Join;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Union;
import org.apache.spark.sql.catalyst.plans.logical.Window;
import org.apache.spark.sql.execution.joins.BroadcastHashJoinExec;

/**
 * Finds the hash tables of all joins without an exchange in one stage, each with its estimated
 * bytes. Joins of a query share the table of equal build sides.
 *
 * @param choices of joins that are executed without an exchange
 */
record StageTables(SparkJoinSelection selection, Function<Join, Optional<ReplicatedJoin>> choices) {

  /**
   * Equal for build sides of the same rows, keys and use, which share a table.
   *
   * @param build the canonical plan of the rows
   * @param keys by the ordinals of their columns
   * @param ofKeysAlone whether the join needs only distinct keys
   */
  record Table(LogicalPlan build, List<Expression> keys, boolean ofKeysAlone) {
    static Table of(BroadcastHashJoinExec join, Side side, LogicalPlan build) {
      var columns = package$.MODULE$.AttributeSeq(build.output());
      List<Expression> keys =
          ScalaLists.<Expression>list(side == Side.LEFT ? join.leftKeys() : join.rightKeys());
      boolean keysAlone =
          join.condition().isEmpty() && LeftExistence.unapply(join.joinType()).isDefined();
      return new Table(
          build.canonicalized(),
          keys.stream().map(key -> QueryPlan.normalizeExpressions(key, columns)).toList(),
          keysAlone);
    }
  }

  /** The tables in a build side, whose aggregates and windows are in the same stage. */
  Map<Table, Double> ofBuildSide(LogicalPlan build) {
    return of(build, true);
  }

  /** The tables in the rows that a join streams. */
  Map<Table, Double> ofStreamed(LogicalPlan streamed) {
    return of(streamed, false);
  }

  private Map<Table, Double> of(LogicalPlan plan, boolean whole) {
    boolean needsAllRows = plan instanceof Aggregate || plan instanceof Window;
    if (needsAllRows ? whole : LogicalOperators.passesRows(plan)) {
      return of(plan.children().head(), whole);
    }
    if (plan instanceof Union) {
      Map<Table, Double> all = new HashMap<>();
      ScalaLists.<LogicalPlan>list(plan.children()).forEach(child -> all.putAll(of(child, whole)));
      return all;
    }
    if (!(plan instanceof Join join)) {
      return Map.of();
    }
    Optional<ReplicatedJoin> chosen = choices.apply(join);
    if (chosen.isPresent()) {
      return chosen.get().tables();
    }
    Side broadcast = selection.broadcastSide(join);
    return broadcast == null ? Map.of() : of(broadcast.streamed(join), whole);
  }
}
