package io.mooring.spark.plan;

import io.mooring.catalyst.ScalaLists;
import io.mooring.catalyst.TreeNodes;
import io.mooring.pushdown.UnscaledColumns;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Cast;
import org.apache.spark.sql.catalyst.expressions.Coalesce;
import org.apache.spark.sql.catalyst.expressions.Divide;
import org.apache.spark.sql.catalyst.expressions.EqualTo;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.If;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.UnscaledValue;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateExpression;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateFunction;
import org.apache.spark.sql.catalyst.expressions.aggregate.Average;
import org.apache.spark.sql.catalyst.expressions.aggregate.Count;
import org.apache.spark.sql.catalyst.expressions.aggregate.Max;
import org.apache.spark.sql.catalyst.expressions.aggregate.Min;
import org.apache.spark.sql.catalyst.expressions.aggregate.Sum;
import org.apache.spark.sql.catalyst.plans.logical.Aggregate;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.jspecify.annotations.Nullable;
import scala.Option;

/**
 * Rewrites an aggregate over distinct values as two without them. The inner aggregate also groups
 * by the distinct value and can be pushed down; the outer one merges its groups. Spark executes
 * such an aggregate in the same two phases.
 */
final class DistinctAggregate {
  private final Aggregate aggregate;
  private final Alias value;
  private final List<NamedExpression> inner = new ArrayList<>();
  private boolean possible = true;

  private DistinctAggregate(Aggregate aggregate, Expression distinct) {
    this.aggregate = aggregate;
    this.value = TreeNodes.alias(distinct, "distinct");
    inner.addAll(keys());
    inner.add(value);
  }

  /**
   * The outer aggregate over the inner one; null unless the plan is an aggregate over the distinct
   * values of one expression, all of whose functions can be computed in two phases.
   */
  static @Nullable Aggregate of(LogicalPlan plan) {
    if (!(plan instanceof Aggregate aggregate)
        || !ScalaLists.<Expression>list(aggregate.groupingExpressions()).stream()
            .allMatch(Attribute.class::isInstance)) {
      return null;
    }
    Expression distinct = distinctValue(aggregate);
    return distinct == null ? null : new DistinctAggregate(aggregate, distinct).inTwoSteps();
  }

  /** Whether a function takes distinct values. */
  static boolean hasDistinct(Aggregate aggregate) {
    return calls(aggregate).stream().anyMatch(AggregateExpression::isDistinct);
  }

  /** The expression whose distinct values the first such function takes. */
  private static @Nullable Expression distinctValue(Aggregate aggregate) {
    for (AggregateExpression call : calls(aggregate)) {
      List<Expression> children = ScalaLists.list(call.aggregateFunction().children());
      if (call.isDistinct()) {
        return children.size() == 1 && isExact(children.get(0)) ? children.get(0) : null;
      }
    }
    return null;
  }

  /** Whether equal values are identical, which floating-point numbers need not be. */
  private static boolean isExact(Expression value) {
    return !value.foldable() && !Set.of("float", "double").contains(value.dataType().typeName());
  }

  private static List<AggregateExpression> calls(Aggregate aggregate) {
    List<AggregateExpression> calls = new ArrayList<>();
    for (NamedExpression result :
        ScalaLists.<NamedExpression>list(aggregate.aggregateExpressions())) {
      TreeNodes.forEach(
          (Expression) result,
          part -> {
            if (part instanceof AggregateExpression call) {
              calls.add(call);
            }
          });
    }
    return calls;
  }

  private List<NamedExpression> keys() {
    return ScalaLists.<Expression>list(aggregate.groupingExpressions()).stream()
        .map(NamedExpression.class::cast)
        .toList();
  }

  private @Nullable Aggregate inTwoSteps() {
    List<NamedExpression> outer = new ArrayList<>();
    for (NamedExpression result :
        ScalaLists.<NamedExpression>list(aggregate.aggregateExpressions())) {
      outer.add((NamedExpression) ofGroups((Expression) result));
    }
    List<Expression> keys = ScalaLists.list(aggregate.groupingExpressions());
    List<Expression> innerKeys = new ArrayList<>(keys);
    innerKeys.add(value.child());
    Aggregate first = TreeNodes.aggregate(aggregate, innerKeys, inner, aggregate.child());
    return possible ? TreeNodes.aggregate(aggregate, keys, outer, first) : null;
  }

  private Expression ofGroups(Expression expression) {
    if (expression instanceof AggregateExpression call) {
      return ofGroups(call);
    }
    return TreeNodes.mapChildren(expression, this::ofGroups);
  }

  private Expression ofGroups(AggregateExpression call) {
    AggregateFunction function = call.aggregateFunction();
    if (call.filter().isDefined() || !call.deterministic()) {
      return notPossible(call);
    } else if (call.isDistinct()) {
      return ofDistinct(call, function);
    } else if (function instanceof Count) {
      return countOf(summedUp(call, "count"));
    } else if (function instanceof Average average) {
      return isAveragedBySums(average.child()) ? average(average) : notPossible(call);
    } else if (function instanceof Min || function instanceof Max || isPlainSum(function)) {
      return merged(function, attribute(call, function.prettyName()));
    }
    return notPossible(call);
  }

  private Expression ofDistinct(AggregateExpression call, AggregateFunction function) {
    boolean known =
        function instanceof Count || function instanceof Average || isPlainSum(function);
    List<Expression> children = ScalaLists.list(function.children());
    return known && children.size() == 1 && children.get(0).semanticEquals(value.child())
        ? merged(function, value.toAttribute())
        : notPossible(call);
  }

  /**
   * Whether a function is a sum of the same type as its partial sums. The null that try_sum gives
   * for an overflow could not be told from the null of no values, and a sum of decimals gets wider.
   */
  private static boolean isPlainSum(AggregateFunction function) {
    return function instanceof Sum
        && "sum".equals(function.prettyName())
        && isSumType(function.dataType());
  }

  private static boolean isSumType(DataType type) {
    return type.equals(DataTypes.LongType) || type.equals(DataTypes.DoubleType);
  }

  /**
   * Whether sum and count give the average. Spark adds up longs as doubles, which do not overflow.
   */
  private static boolean isAveragedBySums(Expression child) {
    return child instanceof UnscaledValue unscaled
        ? UnscaledColumns.hasSafeSum(unscaled.child().dataType())
        : !child.dataType().equals(DataTypes.LongType) && isSumType(new Sum(child).dataType());
  }

  private Expression average(Average average) {
    Expression child = average.child();
    return averageOf(
        summedUp(new Sum(child).toAggregateExpression(), "sum"),
        countOf(
            summedUp(new Count(ScalaLists.seq(List.of(child))).toAggregateExpression(), "count")));
  }

  private Expression summedUp(AggregateExpression call, String name) {
    return new Sum(attribute(call, name)).toAggregateExpression();
  }

  private Attribute attribute(AggregateExpression call, String name) {
    Alias alias = TreeNodes.alias(call, name);
    inner.add(alias);
    return alias.toAttribute();
  }

  private Expression notPossible(AggregateExpression call) {
    possible = false;
    return call;
  }

  /** The function over the results of the inner aggregate. */
  private static Expression merged(AggregateFunction function, Attribute input) {
    var inputs = ScalaLists.<Expression>seq(List.of(input));
    return ((AggregateFunction) function.withNewChildren(inputs)).toAggregateExpression();
  }

  /** The sum of the groups' counts: zero where there was no group. */
  private static Expression countOf(Expression sumOfCounts) {
    return new Coalesce(ScalaLists.seq(List.of(sumOfCounts, new Literal(0L, DataTypes.LongType))));
  }

  /** The average out of sum and count: null where nothing was counted. */
  private static Expression averageOf(Expression sum, Expression count) {
    return new If(
        new EqualTo(count, new Literal(0L, DataTypes.LongType)),
        new Literal(null, DataTypes.DoubleType),
        new Divide(inDouble(sum), inDouble(count)));
  }

  private static Expression inDouble(Expression number) {
    return number.dataType().equals(DataTypes.DoubleType)
        ? number
        : new Cast(number, DataTypes.DoubleType, Option.empty());
  }
}
