package io.mooring.stage.program;

import io.mooring.catalyst.ScalaLists;
import io.mooring.expr.UnsupportedExpressionException;
import java.util.Optional;
import java.util.function.Predicate;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Nondeterministic;
import org.apache.spark.sql.catalyst.expressions.SparkPartitionID;
import org.apache.spark.sql.catalyst.trees.TreeNodeTag;
import org.apache.spark.sql.execution.SampleExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.adaptive.QueryStageExec;
import org.apache.spark.sql.execution.exchange.Exchange;
import org.apache.spark.sql.execution.joins.BroadcastHashJoinExec;
import org.jspecify.annotations.Nullable;

/**
 * Broadcast joins whose rows an operator above numbers, or chooses by their number, such as {@code
 * monotonically_increasing_id()}, {@code rand()} and a sample. Spark's join gives its rows in the
 * same order each time, so that a query or a task that runs again has the same numbers; hash tables
 * of a GPU give them in any order. So Spark computes these joins.
 */
public final class NumberedRows {
  private static final TreeNodeTag<String> NUMBERED = new TreeNodeTag<>("mooring.numbered");

  private final Predicate<SparkPlan> replacesBroadcast;

  private NumberedRows(Predicate<SparkPlan> replacesBroadcast) {
    this.replacesBroadcast = replacesBroadcast;
  }

  /**
   * Marks the joins of a plan.
   *
   * @param replacesBroadcast tells build sides that Spark would broadcast. It would shuffle others,
   *     and their rows would come in any order, too
   */
  public static void mark(SparkPlan plan, Predicate<SparkPlan> replacesBroadcast) {
    new NumberedRows(replacesBroadcast).markJoins(plan, null);
  }

  /**
   * @param above what numbers the rows of the plan; null where nothing does
   */
  private void markJoins(SparkPlan plan, @Nullable String above) {
    // The rows of an exchange come in any order with Spark, too.
    String numbers = plan instanceof Exchange ? null : numbering(plan).orElse(above);
    if (plan instanceof BroadcastHashJoinExec join) {
      SparkPlan build = JoinSides.build(join);
      if (above != null && isBroadcast(build)) {
        plan.setTagValue(NUMBERED, above);
      }
      markJoins(JoinSides.streamed(plan), numbers);
      markJoins(build, null);
    } else {
      ScalaLists.<SparkPlan>list(plan.children()).forEach(child -> markJoins(child, numbers));
    }
  }

  private boolean isBroadcast(SparkPlan build) {
    return build instanceof Exchange
        || build instanceof QueryStageExec
        || replacesBroadcast.test(build);
  }

  private static Optional<String> numbering(SparkPlan plan) {
    return plan instanceof SampleExec
        ? Optional.of("sample")
        : ScalaLists.<Expression>list(plan.expressions()).stream()
            .flatMap(expression -> numbering(expression).stream())
            .findFirst();
  }

  private static Optional<String> numbering(Expression expression) {
    return expression instanceof Nondeterministic && !(expression instanceof SparkPartitionID)
        ? Optional.of(expression.prettyName())
        : ScalaLists.<Expression>list(expression.children()).stream()
            .flatMap(child -> numbering(child).stream())
            .findFirst();
  }

  /**
   * Checks that the GPU may compute a join.
   *
   * @param translated the same join
   * @throws UnsupportedExpressionException when it is marked, and gives matches in any order
   */
  static void check(BroadcastHashJoinExec join, RowOperator.Join translated)
      throws UnsupportedExpressionException {
    String numbers = ((SparkPlan) join).getTagValue(NUMBERED).getOrElse(() -> null);
    if (numbers != null && translated.pairsRows()) {
      throw new UnsupportedExpressionException("its rows are numbered by " + numbers);
    }
  }
}
