package io.mooring.spark.plan;

import io.mooring.catalyst.ScalaLists;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.UnscaledValue;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateExpression;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateFunction;
import org.apache.spark.sql.catalyst.expressions.aggregate.Average;
import org.apache.spark.sql.catalyst.expressions.aggregate.Count;
import org.apache.spark.sql.catalyst.expressions.aggregate.Max;
import org.apache.spark.sql.catalyst.expressions.aggregate.Min;
import org.apache.spark.sql.catalyst.expressions.aggregate.Sum;
import org.apache.spark.sql.catalyst.plans.logical.Aggregate;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.IntegralType;
import org.apache.spark.sql.types.TimestampType;

/**
 * Recognizes aggregates whose results are identical for any order of rows. Each executor computes
 * such an aggregate by itself, and a group must not pass a condition on one executor and fail it on
 * another.
 */
public final class ExactAggregates {
  private ExactAggregates() {}

  /** Whether keys and functions of an aggregate are exact. */
  public static boolean isExact(Aggregate aggregate) {
    return hasExactKeys(aggregate)
        && ScalaLists.<Expression>list(aggregate.expressions()).stream()
            .allMatch(ExactAggregates::isExact);
  }

  /**
   * Whether keys are exact, and functions give equal results whenever they are computed again, as a
   * query may compare those of two aggregates. Also true of averages of integers: their sums are
   * exact in doubles below 2^53, beyond which Spark's own depend on the order of groups.
   */
  public static boolean isRepeatable(Aggregate aggregate) {
    return hasExactKeys(aggregate)
        && ScalaLists.<Expression>list(aggregate.expressions()).stream()
            .allMatch(ExactAggregates::isRepeatable);
  }

  /** Whether the functions in an expression give equal results whenever they are computed again. */
  public static boolean isRepeatable(Expression expression) {
    return expression instanceof AggregateExpression aggregate
        ? isRepeatable(aggregate.aggregateFunction())
        : ScalaLists.<Expression>list(expression.children()).stream()
            .allMatch(ExactAggregates::isRepeatable);
  }

  private static boolean isRepeatable(AggregateFunction function) {
    return isExact(function)
        || function instanceof Min
        || function instanceof Max
        || (function instanceof Average average && isInteger(average.child().dataType()))
        || (function instanceof Average digits && digits.child() instanceof UnscaledValue);
  }

  /** Whether equal keys of an aggregate are identical. */
  private static boolean hasExactKeys(Aggregate aggregate) {
    return ScalaLists.<Expression>list(aggregate.groupingExpressions()).stream()
        .allMatch(key -> isExact(key.dataType()));
  }

  /** Whether the functions in an expression are exact. */
  public static boolean isExact(Expression expression) {
    return expression instanceof AggregateExpression aggregate
        ? isExact(aggregate.aggregateFunction())
        : ScalaLists.<Expression>list(expression.children()).stream()
            .allMatch(ExactAggregates::isExact);
  }

  private static boolean isExact(AggregateFunction function) {
    if (function instanceof Sum sum) {
      return isInteger(sum.child().dataType());
    } else if (function instanceof Average average) {
      // For integers, Spark adds up doubles.
      return average.child().dataType() instanceof DecimalType;
    }
    return function instanceof Count
        || ((function instanceof Min || function instanceof Max) && isExact(function.dataType()));
  }

  /** Whether equal values are identical, unlike 0.0 and -0.0 or strings in a collation. */
  public static boolean isExact(DataType type) {
    return isInteger(type)
        || type instanceof BooleanType
        || type instanceof DateType
        || type instanceof TimestampType
        || type.equals(DataTypes.StringType);
  }

  /** Whether values are integers, or decimals, whose unscaled values are. */
  private static boolean isInteger(DataType type) {
    return type instanceof IntegralType || type instanceof DecimalType;
  }
}
