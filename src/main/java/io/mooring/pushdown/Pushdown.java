package io.mooring.pushdown;

import java.io.Serializable;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * What a scan does with its rows before Spark sees them.
 *
 * @param filter keeps the rows for which it is true; null for all
 * @param aggregate then combines them; null for none
 * @param output schema of what Spark gets
 */
public record Pushdown(
    @Nullable Expr filter, @Nullable PartialAggregate aggregate, StructType output)
    implements Serializable {

  /** Whether rows leave as they are read. */
  public boolean isNone() {
    return filter == null && aggregate == null;
  }

  /**
   * Whether even a scan of no rows gives one: Spark adds up counts, and nothing adds up to null.
   */
  public boolean needsARow() {
    return aggregate != null && aggregate.keys().isEmpty();
  }

  /** For a plan's text; empty when there is nothing to say. */
  public String describe() {
    String filtered = filter == null ? "" : " filter " + filter;
    return aggregate == null
        ? filtered
        : filtered + " group by " + aggregate.keys() + " aggregates " + aggregate.calls();
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
}
