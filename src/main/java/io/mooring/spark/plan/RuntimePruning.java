package io.mooring.spark.plan;

import io.mooring.catalyst.ScalaLists;
import io.mooring.catalyst.TreeNodes;
import io.mooring.scan.split.RuntimeConditions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.AttributeReference;
import org.apache.spark.sql.catalyst.expressions.DynamicPruningExpression;
import org.apache.spark.sql.catalyst.expressions.DynamicPruningSubquery;
import org.apache.spark.sql.catalyst.expressions.ExprId;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.InSubquery;
import org.apache.spark.sql.catalyst.expressions.ListQuery;
import org.apache.spark.sql.catalyst.expressions.ScalarSubquery;
import org.apache.spark.sql.catalyst.expressions.SubqueryExpression;
import org.apache.spark.sql.catalyst.plans.logical.OneRowRelation;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.Metadata;
import scala.Option;

/**
 * The pruning of partitions by sub-queries other than a partition column's own dynamic pruning.
 * Spark evaluates the runtime filters of a scan before it plans its splits, when each is of the
 * form {@code column IN (sub-query)}; see {@link RuntimeConditions}.
 */
final class RuntimePruning {
  private final Set<String> partitionColumns;
  private final Map<String, Expression> keys = new HashMap<>();
  private final Map<ExprId, AttributeReference> results = new HashMap<>();
  private final List<Expression> conditions = new ArrayList<>();
  private final List<Expression> filters = new ArrayList<>();

  private final RuntimeSubqueries subqueries;

  private RuntimePruning(Set<String> partitionColumns, RuntimeSubqueries subqueries) {
    this.partitionColumns = partitionColumns;
    this.subqueries = subqueries;
  }

  /** The pruning by the conditions that sub-queries complete. */
  static RuntimePruning of(ScanFilters conditions, ScanPattern pattern) {
    RuntimePruning pruning =
        new RuntimePruning(
            Set.of(pattern.files().partitionSchema().fieldNames()),
            RuntimeSubqueries.of(pattern.relation()));
    conditions.runtime().forEach(pruning::add);
    return pruning;
  }

  /** The conditions by which the scan prunes partitions while the query runs. */
  RuntimeConditions conditions() {
    Set<String> names = new HashSet<>();
    results.values().forEach(column -> names.add(column.name()));
    return new RuntimeConditions(keys, names, conditions);
  }

  /** The runtime filters of the scan besides those that it has. */
  List<Expression> filters() {
    return filters;
  }

  private void add(Expression condition) {
    if (condition instanceof DynamicPruningSubquery pruning) {
      if (!(pruning.pruningKey() instanceof AttributeReference)) {
        addKey(pruning);
      }
      return;
    }
    Expression known = withResults(condition);
    // Any other sub-query is left to the filter on rows.
    if (!SubqueryExpression.hasSubquery(known)) {
      conditions.add(known);
    }
  }

  private void addKey(DynamicPruningSubquery pruning) {
    Expression key = pruning.pruningKey();
    Expression known = withResults(key);
    // Any other sub-query is left to the join.
    if (!SubqueryExpression.hasSubquery(known)) {
      AttributeReference column = column("pruning_key_", key.dataType());
      keys.put(column.name(), known);
      filters.add(TreeNodes.copy(pruning, part -> part == key ? column : part));
    }
  }

  /** The condition with columns for its scalar sub-queries. */
  private Expression withResults(Expression condition) {
    return condition instanceof ScalarSubquery subquery && subqueries.canPruneBy(subquery.exprId())
        ? results.computeIfAbsent(subquery.exprId(), id -> result(subquery))
        : TreeNodes.mapChildren(condition, this::withResults);
  }

  /** A column for a sub-query, which a runtime filter compares with the sub-query's value. */
  private AttributeReference result(ScalarSubquery subquery) {
    AttributeReference column = column("subquery_", subquery.dataType());
    // Spark does not share the results of a sub-query that gives a value and of one that gives
    // rows. So the row is made of the very value that the filter on rows asks for.
    Alias value = TreeNodes.alias(subquery, column.name());
    Project row = new Project(ScalaLists.seq(List.of(value)), new OneRowRelation());
    ListQuery rows =
        new ListQuery(
            row,
            ScalaLists.empty(),
            RuntimeSubqueries.ofScan(subquery.exprId()),
            1,
            ScalaLists.empty(),
            Option.empty());
    filters.add(
        new DynamicPruningExpression(new InSubquery(ScalaLists.seq(List.of(column)), rows)));
    return column;
  }

  /** A column that no table has, equal to the one at its place in another use of the table. */
  private AttributeReference column(String prefix, DataType type) {
    int number = filters.size();
    String name = prefix + number;
    while (partitionColumns.contains(name)) {
      name = "_" + name;
    }
    return new AttributeReference(
        name, type, true, Metadata.empty(), new ExprId(number, new UUID(0, 1)), ScalaLists.empty());
  }
}
