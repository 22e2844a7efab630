package io.mooring.scan.split;

import io.mooring.catalyst.TreeNodes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.expressions.And;
import org.apache.spark.sql.catalyst.expressions.AttributeReference;
import org.apache.spark.sql.catalyst.expressions.BasePredicate;
import org.apache.spark.sql.catalyst.expressions.BoundReference;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.InSet;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.Predicate$;
import org.apache.spark.sql.connector.expressions.LiteralValue;
import org.apache.spark.sql.connector.expressions.NamedReference;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Conditions on partition columns that are known in full only when the sub-queries of a query have
 * run. Spark hands a scan the rows of a sub-query as a predicate {@code column IN (values)}, and
 * nothing else. So a column that no file has stands for each expression that is compared with the
 * rows of a broadcast, and for each scalar sub-query. Immutable.
 *
 * @param keys the expressions that are compared with the rows of a broadcast, by their columns
 * @param results the columns that stand for scalar sub-queries
 * @param conditions with these columns
 */
public record RuntimeConditions(
    Map<String, Expression> keys, Set<String> results, List<Expression> conditions) {
  /** Nothing but what Spark finds for partition columns themselves. */
  public static final RuntimeConditions NONE = new RuntimeConditions(Map.of(), Set.of(), List.of());

  /** Takes columns by their names, so that conditions on another use of the table can be equal. */
  public RuntimeConditions {
    keys =
        keys.entrySet().stream()
            .collect(
                Collectors.toUnmodifiableMap(
                    Map.Entry::getKey, entry -> FilteredFileIndex.byName(entry.getValue())));
    results = Set.copyOf(results);
    conditions = FilteredFileIndex.byName(conditions);
  }

  /** The conditions for EXPLAIN; empty where there are none. */
  public String describe() {
    return keys.isEmpty() && conditions.isEmpty()
        ? ""
        : Stream.concat(keys.values().stream(), conditions.stream())
            .map(Expression::sql)
            .sorted()
            .collect(Collectors.joining(", ", " pruning at run time by [", "]"));
  }

  /**
   * The condition on the values of all partition columns, in their order.
   *
   * @param found the predicates that Spark has made of the rows of sub-queries
   */
  public BasePredicate on(StructType columns, List<Predicate> found) {
    Binding binding = new Binding(keys, columns);
    List<Expression> all = new ArrayList<>(conditions);
    for (Predicate predicate : found) {
      // Spark 4.2 also makes predicates of other conditions, which are among these all the same.
      if (isInValues(predicate)) {
        String name = ((NamedReference) predicate.children()[0]).fieldNames()[0];
        List<Object> values = values(predicate);
        if (results.contains(name)) {
          binding.results.put(name, values);
        } else {
          all.add(new InSet(binding.column(name), CollectionConverters.asScala(values).toSet()));
        }
      }
    }
    return Predicate$.MODULE$.createInterpreted(
        all.stream().map(binding::bound).reduce(And::new).orElse(Literal.TrueLiteral()));
  }

  /** Whether the other finds the same rows, however its conditions are written. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof RuntimeConditions that
        && canonicalKeys().equals(that.canonicalKeys())
        && results.equals(that.results)
        && FilteredFileIndex.canonical(conditions)
            .equals(FilteredFileIndex.canonical(that.conditions));
  }

  private Map<String, Expression> canonicalKeys() {
    return keys.entrySet().stream()
        .collect(
            Collectors.toUnmodifiableMap(
                Map.Entry::getKey, entry -> entry.getValue().canonicalized()));
  }

  @Override
  public int hashCode() {
    return keys.keySet().hashCode() + results.hashCode();
  }

  private static boolean isInValues(Predicate predicate) {
    return predicate.name().equals("IN")
        && predicate.children()[0] instanceof NamedReference
        && Arrays.stream(predicate.children()).skip(1).allMatch(LiteralValue.class::isInstance);
  }

  private static List<Object> values(Predicate in) {
    List<Object> values = new ArrayList<>();
    Arrays.stream(in.children()).skip(1).forEach(it -> values.add(((LiteralValue<?>) it).value()));
    return values;
  }

  /** The expressions that columns of conditions stand for. */
  private record Binding(
      Map<String, Expression> keys, StructType columns, Map<String, List<Object>> results) {
    Binding(Map<String, Expression> keys, StructType columns) {
      this(keys, columns, new HashMap<>());
    }

    Expression bound(Expression expression) {
      return expression instanceof AttributeReference column
          ? valueOf(column)
          : TreeNodes.mapChildren(expression, this::bound);
    }

    private Expression valueOf(AttributeReference column) {
      List<Object> rows = results.get(column.name());
      return rows == null ? column(column.name()) : new Literal(rows.get(0), column.dataType());
    }

    Expression column(String name) {
      Expression key = keys.get(name);
      if (key != null) {
        return bound(key);
      }
      int at = columns.fieldIndex(name);
      StructField field = columns.fields()[at];
      return new BoundReference(at, field.dataType(), field.nullable());
    }
  }
}
