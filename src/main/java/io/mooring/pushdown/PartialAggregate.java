package io.mooring.pushdown;

import java.io.Serializable;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * An aggregate over some of the rows, without keys. Spark merges it with the aggregates over the
 * other rows.
 */
public record PartialAggregate(List<AggregateCall> calls) implements Serializable {
  /** A column for each call. */
  public StructType schema() {
    StructType schema = new StructType();
    for (int i = 0; i < calls.size(); i++) {
      schema = schema.add("agg_func_" + i, calls.get(i).type());
    }
    return schema;
  }

  /** Adds the names of all columns that it uses. */
  public void addColumns(Set<String> names) {
    calls.stream()
        .filter(call -> call.input() != null)
        .forEach(call -> call.argument().addColumns(names));
  }

  /** The same aggregate with constants for some columns. */
  public PartialAggregate bind(Function<Column, @Nullable Constant> known) {
    return new PartialAggregate(
        calls.stream()
            .map(call -> call.withInput(call.input() == null ? null : call.argument().bind(known)))
            .toList());
  }
}
