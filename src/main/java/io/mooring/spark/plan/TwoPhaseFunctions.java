package io.mooring.spark.plan;

import io.mooring.catalyst.ScalaLists;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Cast;
import org.apache.spark.sql.catalyst.expressions.Coalesce;
import org.apache.spark.sql.catalyst.expressions.Divide;
import org.apache.spark.sql.catalyst.expressions.EqualTo;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.If;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateFunction;
import org.apache.spark.sql.types.DataTypes;
import scala.Option;

/** How the results of groups become those of all of them. */
final class TwoPhaseFunctions {
  private TwoPhaseFunctions() {}

  /** The function over the results of the inner aggregate. */
  static Expression over(AggregateFunction function, Attribute input) {
    var inputs = ScalaLists.<Expression>seq(List.of(input));
    return ((AggregateFunction) function.withNewChildren(inputs)).toAggregateExpression();
  }

  /** The sum of the groups' counts: zero where there was no group. */
  static Expression countOf(Expression sumOfCounts) {
    return new Coalesce(ScalaLists.seq(List.of(sumOfCounts, new Literal(0L, DataTypes.LongType))));
  }

  /** The average out of sum and count: null where nothing was counted. */
  static Expression averageOf(Expression sum, Expression count) {
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
