package io.mooring.spark.plan.subqueries;

import io.mooring.catalyst.ScalaLists;
import io.mooring.catalyst.TreeNodes;
import io.mooring.spark.plan.ScanPattern;
import io.mooring.spark.plan.ScanRewriteConf;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.AttributeReference;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.ScalarSubquery;
import org.apache.spark.sql.catalyst.expressions.SubqueryExpression;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateExpression;
import org.apache.spark.sql.catalyst.expressions.aggregate.Average;
import org.apache.spark.sql.catalyst.expressions.aggregate.Count;
import org.apache.spark.sql.catalyst.expressions.aggregate.Max;
import org.apache.spark.sql.catalyst.expressions.aggregate.Min;
import org.apache.spark.sql.catalyst.expressions.aggregate.Sum;
import org.apache.spark.sql.catalyst.plans.logical.Aggregate;
import org.apache.spark.sql.catalyst.plans.logical.Filter;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.jspecify.annotations.Nullable;

/**
 * A scalar sub-query that aggregates the rows of a relation that satisfy some conditions.
 *
 * @param conditions all of which a row must satisfy
 */
record ScalarAggregate(
    ScalarSubquery subquery,
    Aggregate aggregate,
    SubqueryRelation relation,
    List<Expression> conditions) {
  // Functions that ignore nulls, which stand for values that do not count.
  private static final Set<Class<?>> NULLS_PASSED_OVER =
      Set.of(Count.class, Sum.class, Average.class, Min.class, Max.class);

  /** Null when the sub-query is anything else, or is over a relation that Mooring does not read. */
  static @Nullable ScalarAggregate of(ScalarSubquery subquery, ScanRewriteConf settings) {
    if (!(subquery.plan() instanceof Aggregate aggregate)
        || !aggregate.groupingExpressions().isEmpty()
        || subquery.outerAttrs().nonEmpty()) {
      return null;
    }
    ScanPattern pattern = ScanPattern.find(aggregate);
    List<Expression> conditions = pattern == null ? null : conditions(aggregate.child());
    if (pattern == null
        || conditions == null
        || !settings.take(pattern)
        || !arePlain(ScalaLists.list(aggregate.aggregateExpressions()))
        || !conditions.stream().allMatch(ScalarAggregate::isPlain)) {
      return null;
    }
    LogicalPlan leaf = aggregate.collectLeaves().head();
    SubqueryRelation relation = SubqueryRelation.of(pattern, leaf, conditions);
    return relation == null || relation.mayBeLogged(conditions)
        ? null
        : new ScalarAggregate(subquery, aggregate, relation, conditions);
  }

  /** The conditions down to the relation; null where a projection computes something. */
  private static @Nullable List<Expression> conditions(LogicalPlan from) {
    List<Expression> conditions = new ArrayList<>();
    for (LogicalPlan node = from; !node.children().isEmpty(); node = node.children().head()) {
      if (node instanceof Filter filter) {
        conditions.addAll(TreeNodes.conjuncts(filter.condition()));
      } else if (!((Project) node).projectList().forall(AttributeReference.class::isInstance)) {
        return null;
      }
    }
    return conditions;
  }

  private static boolean arePlain(List<NamedExpression> results) {
    return results.size() == 1
        && results.get(0) instanceof Alias result
        && isPlain(result)
        && isMerged(result);
  }

  private static boolean isPlain(Expression expression) {
    return expression.deterministic() && !SubqueryExpression.hasSubquery(expression);
  }

  private static boolean isMerged(Expression expression) {
    return expression instanceof AggregateExpression call
        ? isMerged(call)
        : ScalaLists.<Expression>list(expression.children()).stream()
            .allMatch(ScalarAggregate::isMerged);
  }

  private static boolean isMerged(AggregateExpression call) {
    return !call.isDistinct()
        && call.filter().isEmpty()
        && NULLS_PASSED_OVER.contains(call.aggregateFunction().getClass());
  }

  /** The sub-query's result. */
  Alias result() {
    return (Alias) aggregate.aggregateExpressions().head();
  }
}
