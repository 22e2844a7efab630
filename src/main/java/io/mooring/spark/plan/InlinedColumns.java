package io.mooring.spark.plan;

import io.mooring.catalyst.ScalaLists;
import io.mooring.catalyst.TreeNodes;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.ExprId;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;

/**
 * Expressions of a plan over the columns of its tables: each column that the plan computes is
 * replaced by its definition. Belongs to one thread.
 */
final class InlinedColumns {
  /** Larger definitions are not inlined, because chains of them may double in size each time. */
  private static final int MOST_NODES = 1_000;

  private final Map<ExprId, Expression> definitions = new HashMap<>();

  InlinedColumns(LogicalPlan plan) {
    define(plan);
  }

  private void define(LogicalPlan plan) {
    ScalaLists.<LogicalPlan>list(plan.children()).forEach(this::define);
    for (Expression expression : ScalaLists.<Expression>list(plan.expressions())) {
      if (expression instanceof Alias alias) {
        Expression definition = inlined(alias.child());
        if (isSmall(definition)) {
          definitions.put(alias.exprId(), definition);
        }
      }
    }
  }

  private static boolean isSmall(Expression expression) {
    int[] nodes = {0};
    TreeNodes.forEach(expression, any -> nodes[0]++);
    return nodes[0] <= MOST_NODES;
  }

  private Expression inlined(Expression expression) {
    return (Expression)
        expression.transformUp(
            TreeNodes.replacement(
                part -> part instanceof Attribute it ? definitions.get(it.exprId()) : null));
  }

  /**
   * An expression as text over columns of tables, in which columns have names, but neither ids nor
   * names of tables.
   */
  String text(Expression expression) {
    Expression unqualified =
        TreeNodes.replaced(
            inlined(expression),
            part -> part instanceof Attribute it ? it.withQualifier(ScalaLists.empty()) : null);
    return unqualified.sql();
  }

  /** The columns of tables that expressions are computed of. */
  Set<ExprId> columns(List<? extends Expression> expressions) {
    return expressions.stream()
        .flatMap(it -> ScalaLists.<Attribute>list(inlined(it).references().toSeq()).stream())
        .map(Attribute::exprId)
        .collect(Collectors.toSet());
  }
}
