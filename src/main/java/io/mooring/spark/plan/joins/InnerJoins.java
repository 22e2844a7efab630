package io.mooring.spark.plan.joins;

import io.mooring.catalyst.ScalaLists;
import io.mooring.catalyst.TreeNodes;
import io.mooring.spark.plan.RowEstimates;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.apache.spark.sql.catalyst.expressions.And;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.AttributeSet;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.optimizer.ColumnPruning$;
import org.apache.spark.sql.catalyst.plans.Inner$;
import org.apache.spark.sql.catalyst.plans.logical.Join;
import org.apache.spark.sql.catalyst.plans.logical.JoinHint$;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.jspecify.annotations.Nullable;
import scala.Option;

/**
 * Inner joins, each of the rows so far with one more input. Immutable.
 *
 * @param inputs of the joins, in their order; two at least
 * @param conditions of all joins, split at each AND
 * @param output columns of the topmost join
 */
record InnerJoins(List<LogicalPlan> inputs, List<Expression> conditions, List<Attribute> output) {

  /** The joins whose topmost is a plan; null where it is anything else. */
  static @Nullable InnerJoins of(LogicalPlan top) {
    if (!isInner(top)) {
      return null;
    }
    List<LogicalPlan> inputs = new ArrayList<>();
    List<Expression> conditions = new ArrayList<>();
    add(top, inputs, conditions);
    return new InnerJoins(inputs, conditions, RowEstimates.outputOf(top));
  }

  private static boolean isInner(LogicalPlan plan) {
    return plan instanceof Join join
        && join.joinType() == Inner$.MODULE$
        && join.condition().isDefined()
        && join.hint().equals(JoinHint$.MODULE$.NONE())
        && join.deterministic()
        && !join.isStreaming();
  }

  private static boolean isSelection(LogicalPlan plan) {
    return plan instanceof Project project
        && ScalaLists.<Object>list(project.projectList()).stream()
            .allMatch(Attribute.class::isInstance);
  }

  private static void add(LogicalPlan plan, List<LogicalPlan> inputs, List<Expression> conditions) {
    LogicalPlan node = plan;
    while (isSelection(node)) {
      node = node.children().head();
    }
    if (isInner(node)) {
      Join join = (Join) node;
      add(join.left(), inputs, conditions);
      inputs.add(join.right());
      conditions.addAll(TreeNodes.conjuncts(join.condition().get()));
    } else {
      inputs.add(plan);
    }
  }

  /** A plan of such joins with other inputs of the same columns; the input of any other plan. */
  static LogicalPlan mapInputs(LogicalPlan top, UnaryOperator<LogicalPlan> other) {
    if (isInner(top)) {
      LogicalPlan left = ((Join) top).left();
      return TreeNodes.mapChildren(top, it -> it == left ? mapInputs(it, other) : other.apply(it));
    }
    return isSelection(top)
        ? TreeNodes.mapChildren(top, it -> mapInputs(it, other))
        : other.apply(top);
  }

  /** The joins as a plan that reads no more columns than it needs. */
  LogicalPlan toPlan() {
    List<Expression> open = new ArrayList<>(conditions);
    LogicalPlan rows = inputs.get(0);
    for (LogicalPlan input : inputs.subList(1, inputs.size())) {
      rows = joined(rows, input, open);
    }
    return ColumnPruning$.MODULE$.apply(new Project(ScalaLists.seq(output), rows));
  }

  /**
   * The join of two plans under all conditions on their columns.
   *
   * @param open conditions, of which those of this join are taken
   */
  static LogicalPlan joined(LogicalPlan left, LogicalPlan right, List<Expression> open) {
    AttributeSet columns = left.outputSet().$plus$plus(right.outputSet());
    List<Expression> own = open.stream().filter(it -> it.references().subsetOf(columns)).toList();
    open.removeAll(own);
    Optional<Expression> condition = own.stream().reduce(And::new);
    return new Join(
        left,
        right,
        Inner$.MODULE$,
        condition.map(Option::apply).orElse(Option.empty()),
        JoinHint$.MODULE$.NONE());
  }
}
