package io.mooring.spark.plan.aggregates;

import io.mooring.spark.plan.RowEstimates;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.IntegralType;
import org.jspecify.annotations.Nullable;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Estimates of the number of groups where Spark has no statistics: at most as many as rows, and as
 * many as there are combinations of values of the keys. Immutable.
 *
 * @param rows the plan whose rows are grouped
 * @param few whether keys other than numbers are guessed to have few values, and those of one
 *     relation to determine those of others, as in results that are sorted for a reader
 */
record GroupEstimate(LogicalPlan rows, boolean few) {
  /** The guess for a key of which nothing is known. */
  static final double FEW_VALUES = 200;

  private static final double BOOLEAN_VALUES = 3;

  /** The number of groups by some keys. */
  double groups(List<? extends Expression> keys) {
    double all = RowEstimates.rows(rows);
    Map<LogicalPlan, Double> byRelation = new HashMap<>();
    double others = 1;
    for (Expression key : keys) {
      LogicalPlan relation = relation(key);
      if (relation == null) {
        others *= few ? FEW_VALUES : all;
      } else {
        byRelation.merge(relation, values(key, relation), (a, b) -> a * b);
      }
    }
    double groups = 1;
    for (Map.Entry<LogicalPlan, Double> relation : byRelation.entrySet()) {
      double own = Math.min(relation.getValue(), RowEstimates.rows(relation.getKey()) + 1);
      // A row of a large relation mostly finds one row of a small one.
      groups = few ? Math.max(groups, own) : groups * own;
    }
    groups *= others;
    return Math.min(all, groups);
  }

  private double values(Expression key, LogicalPlan relation) {
    if (key.dataType() instanceof BooleanType) {
      return BOOLEAN_VALUES;
    }
    boolean number =
        key.dataType() instanceof IntegralType || key.dataType() instanceof DecimalType;
    return few && !(number && key instanceof Attribute)
        ? FEW_VALUES
        : RowEstimates.rows(relation) + 1;
  }

  /** The relation that all columns of a key are of; null when there is none. */
  private @Nullable LogicalPlan relation(Expression key) {
    for (LogicalPlan leaf : CollectionConverters.asJava(rows.collectLeaves())) {
      if (key.references().nonEmpty() && key.references().subsetOf(leaf.outputSet())) {
        return leaf;
      }
    }
    return null;
  }
}
