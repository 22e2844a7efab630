package io.mooring.spark.plan;

import io.mooring.catalyst.ScalaLists;
import io.mooring.catalyst.TreeNodes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.BloomFilterMightContain;
import org.apache.spark.sql.catalyst.expressions.DynamicPruning;
import org.apache.spark.sql.catalyst.expressions.EqualTo;
import org.apache.spark.sql.catalyst.expressions.ExprId;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.plans.logical.Aggregate;
import org.apache.spark.sql.catalyst.plans.logical.Filter;
import org.apache.spark.sql.catalyst.plans.logical.Join;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.catalyst.plans.logical.Union;
import org.apache.spark.sql.execution.datasources.HadoopFsRelation;
import org.apache.spark.sql.execution.datasources.LogicalRelation;
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2ScanRelation;

/**
 * Which groups an aggregate has: its keys, and the tables, conditions and operators that its rows
 * come from. Spark's optimizer changes the groups that a query names once and uses in two places:
 * it leaves out columns that a place does not need, moves conditions on keys below the aggregate,
 * and orders joins. So none of these count here. Immutable.
 */
final class GroupedRows {
  private final List<Object> source;

  /** The only values that keys may have, by the text of the key. */
  private final Map<String, Expression> keyValues = new HashMap<>();

  GroupedRows(Aggregate aggregate) {
    InlinedColumns columns = new InlinedColumns(aggregate);
    List<LogicalPlan> nodes = new ArrayList<>();
    TreeNodes.forEach(aggregate.child(), nodes::add);
    List<Expression> keys = ScalaLists.list(aggregate.groupingExpressions());
    Set<ExprId> keyColumns = withEqual(columns.columns(keys), nodes, columns);
    Set<String> conditions = new HashSet<>();
    for (Expression condition : conditions(nodes)) {
      if (keyColumns.containsAll(columns.columns(List.of(condition)))) {
        addKeyValue(condition, columns);
      } else {
        conditions.add(columns.text(condition));
      }
    }
    source = List.of(texts(keys, columns), conditions, operators(nodes, columns));
  }

  /** Whether a group of this aggregate may be one of the other. */
  boolean mayShareGroups(GroupedRows other) {
    return source.equals(other.source)
        && keyValues.entrySet().stream()
            .allMatch(
                key -> {
                  Expression value = other.keyValues.get(key.getKey());
                  return value == null || value.equals(key.getValue());
                });
  }

  private void addKeyValue(Expression condition, InlinedColumns columns) {
    if (condition instanceof EqualTo equal) {
      if (equal.right() instanceof Literal value) {
        keyValues.put(columns.text(equal.left()), value);
      } else if (equal.left() instanceof Literal value) {
        keyValues.put(columns.text(equal.right()), value);
      }
    }
  }

  /** Conditions of filters and joins, without filters that other rows pass or fail alike. */
  private static List<Expression> conditions(List<LogicalPlan> nodes) {
    return nodes.stream()
        .flatMap(
            node -> node instanceof Filter filter ? Stream.of(filter.condition()) : condition(node))
        .flatMap(condition -> TreeNodes.conjuncts(condition).stream())
        .filter(it -> !(it instanceof DynamicPruning || it instanceof BloomFilterMightContain))
        .toList();
  }

  private static Stream<Expression> condition(LogicalPlan node) {
    return node instanceof Join join && join.condition().isDefined()
        ? Stream.of(join.condition().get())
        : Stream.empty();
  }

  /** Columns of tables, and those that joins and unions make equal to them. */
  private static Set<ExprId> withEqual(
      Set<ExprId> some, List<LogicalPlan> nodes, InlinedColumns columns) {
    List<List<Set<ExprId>>> equal = nodes.stream().flatMap(it -> equal(it, columns)).toList();
    Set<ExprId> all = new HashSet<>(some);
    boolean grows = true;
    while (grows) {
      grows = false;
      for (List<Set<ExprId>> sides : equal) {
        if (sides.stream().anyMatch(all::containsAll)) {
          for (Set<ExprId> side : sides) {
            grows |= all.addAll(side);
          }
        }
      }
    }
    return all;
  }

  private static Stream<List<Set<ExprId>>> equal(LogicalPlan node, InlinedColumns columns) {
    if (node instanceof Union union) {
      List<LogicalPlan> sides = ScalaLists.list(union.children());
      return IntStream.range(0, union.output().size())
          .mapToObj(
              i ->
                  sides.stream()
                      .map(it -> columns.columns(List.of(it.output().apply(i))))
                      .toList());
    }
    return condition(node)
        .flatMap(condition -> TreeNodes.conjuncts(condition).stream())
        .filter(EqualTo.class::isInstance)
        .map(
            it ->
                ScalaLists.<Expression>list(it.children()).stream()
                    .map(side -> columns.columns(List.of(side)))
                    .toList());
  }

  /** What gives rows, or changes their number, in any order. */
  private static List<String> operators(List<LogicalPlan> nodes, InlinedColumns columns) {
    return nodes.stream()
        .filter(it -> !(it instanceof Project || it instanceof Filter || it instanceof Join))
        .map(it -> it.children().isEmpty() ? table(it) : it.nodeName() + arguments(it, columns))
        .sorted()
        .toList();
  }

  private static Set<String> arguments(LogicalPlan node, InlinedColumns columns) {
    List<? extends Expression> arguments =
        node instanceof Aggregate aggregate
            ? ScalaLists.list(aggregate.groupingExpressions())
            : ScalaLists.list(node.expressions());
    return texts(arguments.stream().filter(it -> !(it instanceof Attribute)).toList(), columns);
  }

  private static Set<String> texts(List<? extends Expression> all, InlinedColumns columns) {
    return all.stream().map(columns::text).collect(Collectors.toSet());
  }

  /** The name of a table, whose files and columns may differ as conditions on partitions do. */
  private static String table(LogicalPlan leaf) {
    if (leaf instanceof LogicalRelation relation
        && relation.relation() instanceof HadoopFsRelation files) {
      return relation.catalogTable().isDefined()
          ? relation.catalogTable().get().identifier().unquotedString()
          : files.location().rootPaths().mkString(",");
    }
    return leaf instanceof DataSourceV2ScanRelation scan
        ? scan.relation().table().name()
        : leaf.canonicalized().toString();
  }
}
