package io.mooring.pushdown;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * The filter and the aggregate that a scan evaluates.
 *
 * @param filter keeps the rows for which it is true; null for all
 * @param aggregate over the rows that are kept; null for none
 * @param output schema of the rows that Spark gets
 */
public record Pushdown(
    @Nullable Expr filter, @Nullable PartialAggregate aggregate, StructType output)
    implements Serializable {

  /** Whether the scan evaluates nothing. */
  public boolean isNone() {
    return filter == null && aggregate == null;
  }

  /**
   * Whether a scan must return a row even when no row is left. Spark merges partial counts by a
   * sum, and a sum over no rows is null instead of 0.
   */
  public boolean needsARow() {
    return aggregate != null;
  }

  /** The text for EXPLAIN; empty when the scan evaluates nothing. */
  public String describe() {
    String filtered = filter == null ? "" : " filter " + filter;
    return aggregate == null ? filtered : filtered + " aggregates " + aggregate.calls();
  }

  /** Names of the columns that must be read. */
  public Set<String> columns() {
    Set<String> names = new LinkedHashSet<>();
    if (aggregate == null) {
      names.addAll(List.of(output.fieldNames()));
    } else {
      aggregate.addColumns(names);
    }
    if (filter != null) {
      filter.addColumns(names);
    }
    return names;
  }

  /**
   * Predicates, divided between the scan and Spark.
   *
   * @param condition the predicates that the scan evaluates, joined by AND; null for none
   * @param residual what Spark evaluates behind the scan
   */
  public record PushedFilter(@Nullable Expr condition, List<Predicate> residual) {
    public static final PushedFilter NONE = new PushedFilter(null, List.of());

    /** Divides predicates that must all be true. */
    public static PushedFilter of(Predicate[] predicates, StructType schema) {
      ExprTranslator translator = new ExprTranslator(schema);
      List<Predicate> residual = new ArrayList<>();
      Expr condition = null;
      for (Predicate predicate : predicates) {
        Expr expr = translator.translate(predicate);
        if (expr == null) {
          residual.add(predicate);
        } else {
          condition = condition == null ? expr : new Logical(Logical.Operator.AND, condition, expr);
        }
      }
      return new PushedFilter(condition, List.copyOf(residual));
    }
  }
}
