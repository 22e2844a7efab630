package io.mooring.stage.program;

import io.mooring.catalyst.ScalaLists;
import io.mooring.catalyst.TreeNodes;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.AttributeSet;
import org.apache.spark.sql.catalyst.expressions.ExprId;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateExpression;
import org.apache.spark.sql.catalyst.trees.TreeNodeTag;
import org.apache.spark.sql.execution.BaseLimitExec;
import org.apache.spark.sql.execution.FilterExec;
import org.apache.spark.sql.execution.ProjectExec;
import org.apache.spark.sql.execution.SampleExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.aggregate.BaseAggregateExec;
import org.apache.spark.sql.execution.joins.BaseJoinExec;

/**
 * Columns that Spark computes late. In generated code a join or a filter computes a column of the
 * projection below for the rows that it leaves; a stage gives rows with all their columns. So no
 * stage ends below such an operator with a column that may raise an error.
 */
public final class LateColumns {
  /** Why a stage does not end with such a column. */
  static final String REASON = "a column may raise an error for rows that are left out above";

  private static final TreeNodeTag<Boolean> LATE = new TreeNodeTag<>("mooring.late");

  private LateColumns() {}

  /** Marks the nodes of a plan whose columns may be computed by operators above. */
  public static void mark(SparkPlan plan) {
    mark(plan, false);
  }

  private static void mark(SparkPlan plan, boolean late) {
    if (late) {
      plan.setTagValue(LATE, true);
    } else {
      plan.unsetTagValue(LATE);
    }
    boolean below =
        plan.conf().wholeStageEnabled()
            && (leavesOutRows(plan)
                || (late && (plan instanceof ProjectExec || plan instanceof BaseLimitExec)));
    ScalaLists.<SparkPlan>list(plan.children()).forEach(child -> mark(child, below));
  }

  private static boolean leavesOutRows(SparkPlan plan) {
    return plan instanceof BaseJoinExec || plan instanceof FilterExec || plan instanceof SampleExec;
  }

  /** Whether Spark computes a column of a node late, if at all, and it may raise an error. */
  static boolean mayRaise(SparkPlan node) {
    return node.getTagValue(LATE).isDefined() && !raising(node).isEmpty();
  }

  /** The columns of a node that may raise an error and that nothing below it has used. */
  private static Set<ExprId> raising(SparkPlan node) {
    if (node instanceof ProjectExec project) {
      return computed(ScalaLists.list(project.projectList()), raising(project.child()));
    } else if (node instanceof BaseAggregateExec aggregate) {
      return computed(results(aggregate), Set.of());
    } else if (node instanceof FilterExec
        || node instanceof BaseLimitExec
        || (JoinSides.isJoin(node) && !JoinSides.isFullOuter(node))) {
      Set<ExprId> columns = new HashSet<>(raising(JoinSides.streamed(node)));
      columns.removeAll(used(node.references()));
      return columns;
    }
    return Set.of();
  }

  /** The result columns of an aggregate over its functions themselves. */
  private static List<NamedExpression> results(BaseAggregateExec aggregate) {
    Map<ExprId, AggregateExpression> functions = new HashMap<>();
    for (AggregateExpression function :
        ScalaLists.<AggregateExpression>list(aggregate.aggregateExpressions())) {
      functions.put(function.resultAttribute().exprId(), function);
    }
    return ScalaLists.<NamedExpression>list(aggregate.resultExpressions()).stream()
        .map(
            column ->
                column instanceof Attribute
                    ? column
                    : (NamedExpression)
                        TreeNodes.replaced(
                            (Expression) column,
                            part ->
                                part instanceof Attribute result
                                    ? functions.get(result.exprId())
                                    : null))
        .toList();
  }

  private static Set<ExprId> computed(List<NamedExpression> columns, Set<ExprId> below) {
    Set<ExprId> raising = new HashSet<>();
    for (NamedExpression column : columns) {
      Expression expression = (Expression) column;
      boolean isLate = !Collections.disjoint(used(expression.references()), below);
      if (isLate || (!(column instanceof Attribute) && RaisedErrors.resultMayRaise(expression))) {
        raising.add(column.exprId());
      }
    }
    return raising;
  }

  private static Set<ExprId> used(AttributeSet columns) {
    return ScalaLists.<Attribute>list(columns.toSeq()).stream()
        .map(Attribute::exprId)
        .collect(Collectors.toSet());
  }
}
