package io.mooring.stage.program;

import io.mooring.catalyst.ScalaLists;
import io.mooring.catalyst.TreeNodes;
import io.mooring.catalyst.TreePatterns;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.spark.sql.catalyst.expressions.And;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.BloomFilterMightContain;
import org.apache.spark.sql.catalyst.expressions.ExprId;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.XxHash64;
import org.apache.spark.sql.execution.FilterExec;
import org.apache.spark.sql.execution.ProjectExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.joins.BroadcastHashJoinExec;

/**
 * Bloom filters of join keys that Spark's optimizer adds above scans of large tables ({@code
 * spark.sql.optimizer.runtime.bloomFilter.enabled}). They only leave out rows that the join above
 * leaves out, too. Where the join is in the same tasks, they are removed from the plan, and the
 * sub-queries that make them do not run.
 */
public final class RuntimeBloomFilters {
  private final Predicate<SparkPlan> isInTask;

  private RuntimeBloomFilters(Predicate<SparkPlan> isInTask) {
    this.isInTask = isInTask;
  }

  /**
   * The plan without the Bloom filters over scans that stages can be over, if a broadcast join
   * above compares their keys: with no exchange between, and no expression that could raise an
   * error for a row that they leave out.
   *
   * @param isInTask tells the nodes above build sides that tasks read themselves
   */
  public static SparkPlan without(SparkPlan plan, Predicate<SparkPlan> isInTask) {
    return new RuntimeBloomFilters(isInTask).without(plan, Set.of());
  }

  /**
   * @param joined the columns that joins above compare
   */
  private SparkPlan without(SparkPlan plan, Set<ExprId> joined) {
    if (plan instanceof FilterExec filter) {
      return filtered(filter, joined);
    } else if (plan instanceof BroadcastHashJoinExec join) {
      return withChildren(plan, keys(join, joined));
    }
    boolean passesOn =
        (plan instanceof ProjectExec && !mayRaise(ScalaLists.list(plan.expressions())))
            || isInTask.test(plan);
    return withChildren(plan, passesOn ? joined : Set.of());
  }

  private SparkPlan withChildren(SparkPlan plan, Set<ExprId> joined) {
    return TreeNodes.mapChildren(plan, child -> without(child, joined));
  }

  private static Set<ExprId> keys(BroadcastHashJoinExec join, Set<ExprId> joined) {
    List<Expression> keys = new ArrayList<>(ScalaLists.<Expression>list(join.leftKeys()));
    keys.addAll(ScalaLists.<Expression>list(join.rightKeys()));
    if (mayRaise(keys)) {
      return Set.of();
    }
    boolean raises = join.condition().isDefined() && RaisedErrors.mayRaise(join.condition().get());
    Set<ExprId> all = new HashSet<>(raises ? Set.of() : joined);
    for (Expression key : keys) {
      if (key instanceof Attribute column) {
        all.add(column.exprId());
      }
    }
    return all;
  }

  private SparkPlan filtered(FilterExec filter, Set<ExprId> joined) {
    List<Expression> all = TreeNodes.conjuncts(filter.condition());
    List<Expression> others = all.stream().filter(it -> !isBloomFilterOf(it, joined)).toList();
    if (mayRaise(others) || StageChain.below(filter) == null) {
      return withChildren(filter, Set.of());
    } else if (others.size() == all.size()) {
      return withChildren(filter, joined);
    }
    SparkPlan child = without(filter.child(), joined);
    if (others.isEmpty()) {
      return child;
    }
    FilterExec remaining = new FilterExec(others.stream().reduce(And::new).orElseThrow(), child);
    remaining.copyTagsFrom(filter);
    return remaining;
  }

  /** Whether a condition is one that Spark's optimizer adds: it looks into a sub-query's result. */
  private static boolean isBloomFilterOf(Expression condition, Set<ExprId> joined) {
    return condition instanceof BloomFilterMightContain bloom
        && TreePatterns.mayHoldSubquery(bloom.bloomFilterExpression())
        && bloom.valueExpression() instanceof XxHash64 hash
        && ScalaLists.<Expression>list(hash.children()).get(0) instanceof Attribute key
        && joined.contains(key.exprId());
  }

  private static boolean mayRaise(List<? extends Expression> expressions) {
    return expressions.stream().anyMatch(RaisedErrors::mayRaise);
  }
}
