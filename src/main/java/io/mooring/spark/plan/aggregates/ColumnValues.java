package io.mooring.spark.plan.aggregates;

import java.util.OptionalDouble;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;

/** How many values the columns of relations have. */
interface ColumnValues {
  /** The fewest that are possible. */
  ColumnValues FEWEST = (relation, column) -> OptionalDouble.of(1);

  /** As many as the relation has rows. */
  ColumnValues MOST = (relation, column) -> OptionalDouble.of(Double.POSITIVE_INFINITY);

  /** The order of magnitude of distinct values; empty where nothing is known. */
  OptionalDouble of(LogicalPlan relation, Attribute column);
}
