package io.mooring.pushdown;

import java.io.Serializable;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * An aggregate over some of the rows. Spark merges it with the aggregates over the other rows. A
 * group may have several result rows.
 *
 * @param keys the grouping expressions; empty for one group of all rows
 */
public record PartialAggregate(List<Expr> keys, List<AggregateCall> calls) implements Serializable {
  /** The columns of the result: keys first. */
  public StructType schema() {
    StructType schema = new StructType();
    for (int i = 0; i < keys.size(); i++) {
      schema = schema.add("group_col_" + i, keys.get(i).type());
    }
    for (int i = 0; i < calls.size(); i++) {
      schema = schema.add("agg_func_" + i, calls.get(i).type());
    }
    return schema;
  }

  /** Adds the names of all columns that it uses. */
  public void addColumns(Set<String> names) {
    keys.forEach(key -> key.addColumns(names));
    calls.stream()
        .filter(call -> call.input() != null)
        .forEach(call -> call.argument().addColumns(names));
  }

  /** The same aggregate with constants for some columns. */
  public PartialAggregate bind(Function<Column, @Nullable Constant> known) {
    return new PartialAggregate(
        keys.stream().map(key -> key.bind(known)).toList(),
        calls.stream()
            .map(call -> call.withInput(call.input() == null ? null : call.argument().bind(known)))
            .toList());
  }
}
