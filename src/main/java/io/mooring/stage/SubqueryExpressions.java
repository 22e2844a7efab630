package io.mooring.stage;

import io.mooring.catalyst.TreeNodes;
import io.mooring.catalyst.TreePatterns;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.PlanExpression;
import org.apache.spark.sql.execution.SparkPlan;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/**
 * The expressions of a plan that have sub-queries, dynamic pruning among them. Spark prepares,
 * shows and reuses sub-queries only in expressions that it sees.
 */
final class SubqueryExpressions {
  private SubqueryExpressions() {}

  /** The expressions of a plan and its children, in order. */
  static Seq<Expression> of(SparkPlan plan) {
    List<Expression> found = new ArrayList<>();
    collect(plan, found);
    return CollectionConverters.asScala(found).toList();
  }

  private static void collect(SparkPlan plan, List<Expression> found) {
    if (!TreePatterns.mayHoldSubquery(plan)) {
      return;
    }
    CollectionConverters.asJava(plan.expressions()).stream()
        .filter(SubqueryExpressions::holdsSubquery)
        .forEach(found::add);
    CollectionConverters.asJava(plan.children()).forEach(child -> collect(child, found));
  }

  private static boolean holdsSubquery(Expression expression) {
    return expression instanceof PlanExpression<?>
        || CollectionConverters.asJava(expression.children()).stream()
            .anyMatch(SubqueryExpressions::holdsSubquery);
  }

  /**
   * The plan with other expressions in their place; itself when they are the same.
   *
   * @param holders as many as {@link #of} gives, in its order
   */
  static SparkPlan with(SparkPlan plan, Seq<Expression> holders) {
    if (holders.isEmpty()) {
      return plan;
    }
    List<Expression> before = CollectionConverters.asJava(of(plan));
    Map<Expression, Expression> others = new IdentityHashMap<>();
    for (int i = 0; i < before.size(); i++) {
      if (before.get(i) != holders.apply(i)) {
        others.put(before.get(i), holders.apply(i));
      }
    }
    return others.isEmpty() ? plan : replaced(plan, others);
  }

  private static SparkPlan replaced(SparkPlan plan, Map<Expression, Expression> others) {
    List<SparkPlan> children =
        CollectionConverters.asJava(plan.children()).stream()
            .map(child -> replaced(child, others))
            .toList();
    SparkPlan own = (SparkPlan) plan.transformExpressionsDown(TreeNodes.replacement(others::get));
    return own.withNewChildren(CollectionConverters.asScala(children).toList());
  }
}
