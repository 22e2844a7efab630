package io.mooring.pushdown;

import io.mooring.columnar.ScalarTypes;
import io.mooring.pushdown.AggregateCall.Kind;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.connector.expressions.Expression;
import org.apache.spark.sql.connector.expressions.aggregate.AggregateFunc;
import org.apache.spark.sql.connector.expressions.aggregate.Aggregation;
import org.apache.spark.sql.connector.expressions.aggregate.Avg;
import org.apache.spark.sql.connector.expressions.aggregate.Count;
import org.apache.spark.sql.connector.expressions.aggregate.CountStar;
import org.apache.spark.sql.connector.expressions.aggregate.Max;
import org.apache.spark.sql.connector.expressions.aggregate.Min;
import org.apache.spark.sql.connector.expressions.aggregate.Sum;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/** Translates an aggregation that Spark pushes down, as a whole or not at all. */
public final class AggregateTranslator {
  private final ExprTranslator expressions;

  /**
   * @param schema of the scan: every column that may be named
   */
  public AggregateTranslator(StructType schema) {
    this.expressions = new ExprTranslator(schema);
  }

  /**
   * The aggregation for the scan; null where it has keys, by which a stage groups, or where Spark
   * has to compute it.
   */
  public @Nullable PartialAggregate translate(Aggregation aggregation) {
    if (aggregation.groupByExpressions().length > 0) {
      return null;
    }
    List<AggregateCall> calls = new ArrayList<>();
    for (AggregateFunc function : aggregation.aggregateExpressions()) {
      AggregateCall call = call(function);
      if (call == null) {
        return null;
      }
      calls.add(call);
    }
    return new PartialAggregate(List.copyOf(calls));
  }

  /**
   * Whether Spark may replace every average by a sum divided by a count. Spark computes an average
   * in double; a sum of longs could overflow instead.
   */
  public boolean keepsAverages(Aggregation aggregation) {
    for (AggregateFunc function : aggregation.aggregateExpressions()) {
      if (function instanceof Avg average) {
        Expr input = expressions.translate(average.column());
        if (input == null || SumOverflowCheck.canOverflow(input)) {
          return false;
        }
      }
    }
    return true;
  }

  private @Nullable AggregateCall call(AggregateFunc function) {
    if (function instanceof CountStar) {
      return new AggregateCall(Kind.COUNT_ROWS, null);
    } else if (function instanceof Count count) {
      return count.isDistinct() ? null : over(Kind.COUNT, count.column());
    } else if (function instanceof Sum sum) {
      AggregateCall call = sum.isDistinct() ? null : over(Kind.SUM, sum.column());
      return call != null && isSummed(call.argument().type()) ? call : null;
    } else if (function instanceof Min min) {
      return extreme(Kind.MIN, min.column());
    }
    return function instanceof Max max ? extreme(Kind.MAX, max.column()) : null;
  }

  private @Nullable AggregateCall over(Kind kind, Expression column) {
    Expr input = expressions.translate(column);
    return input == null ? null : new AggregateCall(kind, input);
  }

  private @Nullable AggregateCall extreme(Kind kind, Expression column) {
    AggregateCall call = over(kind, column);
    // A stage computes the minimum and maximum of booleans.
    return call == null || call.argument().type().equals(DataTypes.BooleanType) ? null : call;
  }

  /**
   * Whether sums of a type are pushed down. Sums of decimals are not: Spark would give a partial
   * sum the type of its input, which may be too narrow.
   */
  private static boolean isSummed(DataType type) {
    return ScalarTypes.isInteger(type) || ScalarTypes.isFloating(type);
  }
}
