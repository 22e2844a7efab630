package io.mooring.spark.plan;

import io.mooring.catalyst.ScalaLists;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.expressions.Expression;
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
    return haveExactKeys(ScalaLists.list(aggregate.groupingExpressions()))
        && functions(aggregate).allMatch(ExactAggregates::isExact);
  }

  /**
   * Names what may differ when an aggregate is computed again, because a query may compare the
   * results of two aggregates. Empty where keys are exact and functions give equal results.
   * Averages of integers count among these functions: their sums are exact in doubles below 2^53,
   * and beyond that Spark's own sums depend on the order of groups.
   */
  public static Optional<String> whyNotRepeatable(Aggregate aggregate) {
    Stream<String> inexactKeys =
        ScalaLists.<Expression>list(aggregate.groupingExpressions()).stream()
            .filter(key -> !isExact(key.dataType()))
            .map(key -> "a key of type " + key.dataType().sql());
    return inexactKeys.findFirst().or(() -> inexactFunction(aggregate));
  }

  /** Names the first function of an aggregate whose results may differ when computed again. */
  static Optional<String> inexactFunction(Aggregate aggregate) {
    return functions(aggregate)
        .filter(it -> !isRepeatable(it))
        .map(ExactAggregates::named)
        .findFirst();
  }

  private static String named(AggregateFunction function) {
    List<Expression> arguments = ScalaLists.list(function.children());
    String of = arguments.isEmpty() ? "" : " of " + arguments.get(0).dataType().sql();
    return function.prettyName() + of;
  }

  private static boolean isRepeatable(AggregateFunction function) {
    return isExact(function)
        || function instanceof Min
        || function instanceof Max
        || (function instanceof Average average && isInteger(average.child().dataType()));
  }

  /** Whether equal keys are identical. */
  private static boolean haveExactKeys(List<? extends Expression> keys) {
    return keys.stream().allMatch(key -> isExact(key.dataType()));
  }

  private static Stream<AggregateFunction> functions(Aggregate aggregate) {
    return calls(aggregate).map(AggregateExpression::aggregateFunction);
  }

  /** The calls of aggregate functions, in the order in which they occur. */
  static Stream<AggregateExpression> calls(Aggregate aggregate) {
    return calls(ScalaLists.list(aggregate.expressions()));
  }

  private static Stream<AggregateExpression> calls(List<? extends Expression> expressions) {
    return expressions.stream()
        .flatMap(
            it ->
                it instanceof AggregateExpression call
                    ? Stream.of(call)
                    : calls(ScalaLists.<Expression>list(it.children())));
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
