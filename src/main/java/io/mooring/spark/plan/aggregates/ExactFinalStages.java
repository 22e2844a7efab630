package io.mooring.spark.plan.aggregates;

import io.mooring.catalyst.ScalaLists;
import io.mooring.spark.plan.ExactAggregates;
import io.mooring.stage.program.FinalStageChain;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.UnscaledValue;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateExpression;
import org.apache.spark.sql.catalyst.expressions.aggregate.Average;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.aggregate.BaseAggregateExec;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.IntegralType;

/** Recognizes final stages whose results are identical for any order of rows. */
final class ExactFinalStages {
  private ExactFinalStages() {}

  /** Whether the results are identical for any order of rows. */
  static boolean isExact(FinalStageChain chain) {
    List<SparkPlan> all = new ArrayList<>(chain.operators());
    all.add(chain.groups());
    return all.stream()
        .filter(BaseAggregateExec.class::isInstance)
        .map(BaseAggregateExec.class::cast)
        .allMatch(ExactFinalStages::isExact);
  }

  private static boolean isExact(BaseAggregateExec aggregate) {
    List<NamedExpression> keys = ScalaLists.list(aggregate.groupingExpressions());
    List<AggregateExpression> calls = ScalaLists.list(aggregate.aggregateExpressions());
    return keys.stream().allMatch(key -> ExactAggregates.isExact(((Expression) key).dataType()))
        && calls.stream()
            .allMatch(call -> ExactAggregates.isExact(call) || isAverageOfIntegers(call));
  }

  /**
   * Whether a function adds up short integers, or digits of short decimals, as doubles. The sum is
   * exact below 2^53, beyond which Spark's own depends on the order of groups too.
   */
  private static boolean isAverageOfIntegers(AggregateExpression call) {
    if (!(call.aggregateFunction() instanceof Average average)) {
      return false;
    }
    DataType type = average.child().dataType();
    return average.child() instanceof UnscaledValue
        || (type instanceof IntegralType && type.defaultSize() <= Integer.BYTES);
  }
}
