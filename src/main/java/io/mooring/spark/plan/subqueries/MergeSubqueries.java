package io.mooring.spark.plan.subqueries;

import io.mooring.catalyst.ScalaLists;
import io.mooring.catalyst.TreeNodes;
import io.mooring.catalyst.TreePatterns;
import io.mooring.spark.plan.ScanPattern;
import io.mooring.spark.plan.ScanRewriteConf;
import io.mooring.spark.plan.ScanRewriter;
import io.mooring.spark.plan.UnsupportedScanException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.expressions.ExprId;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.GetStructField;
import org.apache.spark.sql.catalyst.expressions.NamedExpression$;
import org.apache.spark.sql.catalyst.expressions.ScalarSubquery;
import org.apache.spark.sql.catalyst.plans.logical.Aggregate;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.Option;

/**
 * Merges scalar sub-queries that aggregate one relation under different conditions, as in TPC-DS
 * q9, so that the relation is read once. Spark itself merges only sub-queries of the same
 * condition. Applies where a scan of Mooring evaluates the merged aggregate. Thread-safe.
 */
public final class MergeSubqueries extends Rule<LogicalPlan> {
  private static final Logger LOG = LoggerFactory.getLogger(MergeSubqueries.class);

  private final SparkSession session;

  public MergeSubqueries(SparkSession session) {
    this.session = session;
  }

  @Override
  public LogicalPlan apply(LogicalPlan plan) {
    if (!TreePatterns.mayHoldScalarSubquery(plan)) {
      return plan;
    }
    ScanRewriteConf settings = ScanRewriteConf.of(session);
    if (!settings.enabled() || !settings.mergesSubqueries()) {
      return plan;
    }
    try {
      Map<ExprId, Expression> merged = new HashMap<>();
      for (List<ScalarAggregate> group : groups(plan, settings)) {
        for (List<ScalarAggregate> alike : new MergedAggregate(group).byColumns()) {
          merged.putAll(merged(alike));
        }
      }
      return merged.isEmpty() ? plan : replaced(plan, merged);
    } catch (Exception | LinkageError e) {
      // The sub-queries are correct as they are.
      LOG.warn("Mooring could not merge sub-queries; Spark runs each", e);
      return plan;
    }
  }

  /** The aggregates, grouped by relation. */
  private static List<List<ScalarAggregate>> groups(LogicalPlan plan, ScanRewriteConf settings) {
    List<List<ScalarAggregate>> groups = new ArrayList<>();
    for (ScalarAggregate one : aggregates(plan, settings)) {
      group(groups, one).add(one);
    }
    groups.removeIf(group -> group.size() < 2);
    return groups;
  }

  private static List<ScalarAggregate> group(
      List<List<ScalarAggregate>> groups, ScalarAggregate one) {
    for (List<ScalarAggregate> group : groups) {
      if (group.get(0).relation().isSame(one.relation())) {
        return group;
      }
    }
    groups.add(new ArrayList<>());
    return groups.get(groups.size() - 1);
  }

  private static List<ScalarAggregate> aggregates(LogicalPlan plan, ScanRewriteConf settings) {
    List<ScalarAggregate> all = new ArrayList<>();
    TreeNodes.forEach(
        plan,
        node ->
            ScalaLists.<Expression>list(node.expressions())
                .forEach(
                    expression -> TreeNodes.forEach(expression, part -> add(part, settings, all))));
    return all;
  }

  private static void add(Expression part, ScanRewriteConf settings, List<ScalarAggregate> all) {
    ScalarAggregate one =
        part instanceof ScalarSubquery subquery ? ScalarAggregate.of(subquery, settings) : null;
    if (one != null) {
      all.add(one);
    }
  }

  /** The expressions that replace the sub-queries of a group; empty where they stay as they are. */
  private Map<ExprId, Expression> merged(List<ScalarAggregate> group) {
    MergedAggregate merged = new MergedAggregate(group);
    Aggregate aggregate = merged.aggregate();
    if (merged.alternatives().size() < 2
        || choosesPartitions(merged, group.get(0))
        || !isEvaluated(aggregate)) {
      return Map.of();
    }
    Expression value = subquery(group.get(0).subquery(), MergedAggregate.asOneValue(aggregate));
    Map<ExprId, Expression> all = new HashMap<>();
    for (int i = 0; i < group.size(); i++) {
      Option<String> name = Option.apply(group.get(i).result().name());
      all.put(group.get(i).subquery().exprId(), new GetStructField(value, i, name));
    }
    return all;
  }

  /** Whether an alternative is on partition columns, by which files would be pruned no more. */
  private static boolean choosesPartitions(MergedAggregate merged, ScalarAggregate of) {
    return merged.alternatives().stream().anyMatch(of.relation()::choosesPartitions);
  }

  private boolean isEvaluated(Aggregate aggregate) {
    ScanPattern pattern = ScanPattern.find(aggregate);
    try {
      return pattern != null && new ScanRewriter(session, pattern).isEvaluated();
    } catch (UnsupportedScanException e) {
      return false;
    }
  }

  /** A sub-query over another plan, under an id of its own. */
  private static Expression subquery(ScalarSubquery like, LogicalPlan plan) {
    ExprId id = NamedExpression$.MODULE$.newExprId();
    return TreeNodes.copy(
        (Expression) like, part -> part == like.plan() ? plan : part == like.exprId() ? id : part);
  }

  private static LogicalPlan replaced(LogicalPlan plan, Map<ExprId, Expression> merged) {
    return (LogicalPlan)
        plan.transformAllExpressions(
            TreeNodes.replacement(
                it ->
                    it instanceof ScalarSubquery subquery ? merged.get(subquery.exprId()) : null));
  }
}
