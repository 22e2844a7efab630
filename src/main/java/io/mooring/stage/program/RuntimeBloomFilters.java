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
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.XxHash64;
import org.apache.spark.sql.catalyst.trees.TreeNodeTag;
import org.apache.spark.sql.execution.FilterExec;
import org.apache.spark.sql.execution.ProjectExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.joins.BroadcastHashJoinExec;

/**
 * Bloom filters of join keys that Spark's optimizer adds above scans of large tables ({@code
 * spark.sql.optimizer.runtime.bloomFilter.enabled}). They only leave out rows that the join above
 * leaves out, too. Where the join is in the same tasks, the GPU does without them.
 */
public final class RuntimeBloomFilters {
  private static final TreeNodeTag<Boolean> JOINED = new TreeNodeTag<>("mooring.bloomFilterJoined");

  private final Predicate<SparkPlan> isInTask;

  private RuntimeBloomFilters(Predicate<SparkPlan> isInTask) {
    this.isInTask = isInTask;
  }

  /**
   * Marks the filters of a plan whose keys a broadcast join above compares, with no exchange
   * between.
   *
   * @param isInTask tells the nodes above build sides that tasks read themselves
   */
  public static void mark(SparkPlan plan, Predicate<SparkPlan> isInTask) {
    new RuntimeBloomFilters(isInTask).mark(plan, Set.of());
  }

  /**
   * @param joined the columns that joins above compare
   */
  private void mark(SparkPlan plan, Set<ExprId> joined) {
    if (plan instanceof FilterExec filter) {
      if (joinsAll(filter, joined)) {
        plan.setTagValue(JOINED, true);
      } else {
        plan.unsetTagValue(JOINED);
      }
      mark(filter.child(), joined);
    } else if (plan instanceof BroadcastHashJoinExec join) {
      Set<ExprId> keys = new HashSet<>(joined);
      addColumns(ScalaLists.list(join.leftKeys()), keys);
      addColumns(ScalaLists.list(join.rightKeys()), keys);
      ScalaLists.<SparkPlan>list(plan.children()).forEach(child -> mark(child, keys));
    } else {
      boolean passesOn = plan instanceof ProjectExec || isInTask.test(plan);
      Set<ExprId> below = passesOn ? joined : Set.of();
      ScalaLists.<SparkPlan>list(plan.children()).forEach(child -> mark(child, below));
    }
  }

  private static void addColumns(List<? extends Object> keys, Set<ExprId> columns) {
    for (Object key : keys) {
      if (key instanceof Attribute column) {
        columns.add(column.exprId());
      }
    }
  }

  /** Whether a filter has Bloom filters, and joins compare the columns of all. */
  private static boolean joinsAll(FilterExec filter, Set<ExprId> joined) {
    if (joined.isEmpty() || !TreePatterns.mayHoldSubquery(filter.condition())) {
      return false;
    }
    List<Expression> bloom =
        TreeNodes.conjuncts(filter.condition()).stream()
            .filter(RuntimeBloomFilters::isBloomFilter)
            .toList();
    return !bloom.isEmpty() && bloom.stream().allMatch(it -> isOf(it, joined));
  }

  /** Whether a condition is one that Spark's optimizer adds: it looks into a sub-query's result. */
  private static boolean isBloomFilter(Expression condition) {
    return condition instanceof BloomFilterMightContain bloom
        && TreePatterns.mayHoldSubquery(bloom.bloomFilterExpression())
        && bloom.valueExpression() instanceof XxHash64;
  }

  private static boolean isOf(Expression bloomFilter, Set<ExprId> joined) {
    Expression hash = ((BloomFilterMightContain) bloomFilter).valueExpression();
    Expression key = ScalaLists.<Expression>list(hash.children()).get(0);
    return key instanceof Attribute column && joined.contains(column.exprId());
  }

  /**
   * The condition of a filter for the GPU: without marked Bloom filters, unless an expression up to
   * the join could raise an error for rows that they leave out.
   *
   * @param operators of a chain, bottom first
   * @param at the ordinal of the filter among them
   */
  static Expression without(List<SparkPlan> operators, int at) {
    FilterExec filter = (FilterExec) operators.get(at);
    if (filter.getTagValue(JOINED).isEmpty() || mayRaise(operators, at)) {
      return filter.condition();
    }
    return others(filter).stream().reduce(And::new).orElse(Literal.TrueLiteral());
  }

  private static List<Expression> others(FilterExec filter) {
    return TreeNodes.conjuncts(filter.condition()).stream()
        .filter(condition -> !isBloomFilter(condition))
        .toList();
  }

  private static boolean mayRaise(List<SparkPlan> operators, int from) {
    List<Expression> computed = new ArrayList<>();
    boolean joined = false;
    for (int i = from; i < operators.size() && !joined; i++) {
      SparkPlan operator = operators.get(i);
      joined = operator instanceof BroadcastHashJoinExec;
      computed.addAll(
          operator instanceof FilterExec filter
              ? others(filter)
              : ScalaLists.<Expression>list(operator.expressions()));
    }
    return computed.stream().anyMatch(RaisedErrors::mayRaise);
  }
}
