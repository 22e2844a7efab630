package io.mooring.spark.plan.subqueries;

import io.mooring.catalyst.ScalaLists;
import io.mooring.catalyst.TreeNodes;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.And;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.CreateNamedStruct;
import org.apache.spark.sql.catalyst.expressions.ExprId;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.If;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.Or;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateExpression;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateFunction;
import org.apache.spark.sql.catalyst.plans.logical.Aggregate;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * Merges several aggregates of one relation: rows that satisfy the conditions of any of them are
 * read once, and each aggregate ignores the values of rows that do not satisfy its own conditions.
 */
final class MergedAggregate {
  private final List<ScalarAggregate> all;
  private final ScalarAggregate first;
  private final List<Expression> common;
  private final List<Expression> alternatives = new ArrayList<>();
  // For each alternative, the columns that it and its aggregates use.
  private final List<Set<ExprId>> columns = new ArrayList<>();
  // For each aggregate, the ordinal of its alternative.
  private final List<Integer> places = new ArrayList<>();
  private final List<NamedExpression> results = new ArrayList<>();

  /**
   * @param all of the same relation, at least one
   */
  MergedAggregate(List<ScalarAggregate> all) {
    this.all = all;
    this.first = all.get(0);
    List<List<Expression>> conditions = new ArrayList<>();
    all.forEach(one -> conditions.add(one.conditions().stream().map(it -> of(one, it)).toList()));
    this.common =
        conditions.get(0).stream()
            .filter(it -> conditions.stream().allMatch(others -> contains(others, it)))
            .toList();
    for (int i = 0; i < all.size(); i++) {
      add(all.get(i), conditions.get(i).stream().filter(it -> !contains(common, it)).toList());
    }
  }

  private static boolean contains(List<Expression> conditions, Expression condition) {
    return conditions.stream().anyMatch(condition::semanticEquals);
  }

  private void add(ScalarAggregate one, List<Expression> own) {
    Expression condition = own.stream().reduce(And::new).orElse(Literal.TrueLiteral());
    Expression result = of(one, one.result().child());
    int place = place(condition);
    addColumns(condition, columns.get(place));
    addColumns(result, columns.get(place));
    places.add(place);
    results.add(TreeNodes.alias(where(condition, result), one.result().name()));
  }

  /** The ordinal of a condition among the alternatives, to which a new one is added. */
  private int place(Expression condition) {
    for (int i = 0; i < alternatives.size(); i++) {
      if (alternatives.get(i).semanticEquals(condition)) {
        return i;
      }
    }
    alternatives.add(condition);
    columns.add(new HashSet<>());
    return alternatives.size() - 1;
  }

  private static void addColumns(Expression expression, Set<ExprId> columns) {
    ScalaLists.<Attribute>list(expression.references().toSeq())
        .forEach(it -> columns.add(it.exprId()));
  }

  /** An expression of one aggregate over the columns of the first one's relation. */
  private Expression of(ScalarAggregate one, Expression expression) {
    Map<ExprId, Expression> columns = new HashMap<>();
    List<Attribute> own = ScalaLists.list(one.relation().plan().output());
    List<Attribute> firsts = ScalaLists.list(first.relation().plan().output());
    for (int i = 0; i < own.size(); i++) {
      columns.put(own.get(i).exprId(), firsts.get(i));
    }
    return replaced(expression, columns);
  }

  private static Expression replaced(Expression expression, Map<ExprId, Expression> columns) {
    return expression instanceof Attribute column
        ? columns.getOrDefault(column.exprId(), column)
        : TreeNodes.mapChildren(expression, child -> replaced(child, columns));
  }

  private static Expression where(Expression condition, Expression expression) {
    return expression instanceof AggregateExpression call
        ? where(condition, call.aggregateFunction())
        : TreeNodes.mapChildren(expression, child -> where(condition, child));
  }

  private static Expression where(Expression condition, AggregateFunction function) {
    List<Expression> inputs =
        ScalaLists.<Expression>list(function.children()).stream()
            .map(input -> valueWhere(condition, input))
            .toList();
    return ((AggregateFunction) function.withNewChildren(ScalaLists.seq(inputs)))
        .toAggregateExpression();
  }

  private static Expression valueWhere(Expression condition, Expression input) {
    return condition.equals(Literal.TrueLiteral())
        ? input
        : new If(condition, input, new Literal(null, input.dataType()));
  }

  /** The different conditions of the aggregates; a single one where all are equal. */
  List<Expression> alternatives() {
    return alternatives;
  }

  /**
   * The aggregates, grouped by the columns that their conditions read. A scan for one group reads
   * no more than separate scans would.
   */
  Collection<List<ScalarAggregate>> byColumns() {
    Map<Set<ExprId>, List<ScalarAggregate>> apart = new LinkedHashMap<>();
    for (int i = 0; i < all.size(); i++) {
      apart.computeIfAbsent(columns.get(places.get(i)), key -> new ArrayList<>()).add(all.get(i));
    }
    return apart.values();
  }

  /** One row with the results in the order of the aggregates. */
  Aggregate aggregate() {
    List<Expression> all = new ArrayList<>(common);
    alternatives.stream()
        .reduce(Or::new)
        .filter(any -> !contains(alternatives, Literal.TrueLiteral()))
        .ifPresent(all::add);
    LogicalPlan rows = TreeNodes.filtered(first.relation().plan(), all);
    return first
        .relation()
        .pushedDown(TreeNodes.aggregate(first.aggregate(), List.of(), results, rows));
  }

  /** A plan of one row with a struct of those results. */
  static LogicalPlan asOneValue(Aggregate aggregate) {
    List<Expression> fields = new ArrayList<>();
    for (Attribute result : ScalaLists.<Attribute>list(aggregate.output())) {
      fields.add(new Literal(UTF8String.fromString(result.name()), DataTypes.StringType));
      fields.add(result);
    }
    Alias value = TreeNodes.alias(new CreateNamedStruct(ScalaLists.seq(fields)), "merged");
    return new Project(ScalaLists.seq(List.of(value)), aggregate);
  }
}
