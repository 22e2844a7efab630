package io.mooring.pushdown;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.jspecify.annotations.Nullable;

/** Aggregates rows that Spark's reader has read. Not thread-safe. */
public final class RowAggregator {
  // So many rows are a batch of their own; Spark combines what belongs together.
  private static final int MOST_GROUPS = 1 << 16;

  private final PartialAggregate aggregate;
  private final Map<List<@Nullable Object>, List<Accumulator>> groups = new HashMap<>();
  private final List<InternalRow> finished = new ArrayList<>();

  public RowAggregator(PartialAggregate aggregate) {
    this.aggregate = aggregate;
  }

  /**
   * Takes rows that are all alike.
   *
   * @param times how many, at least one
   */
  public void add(RowColumns row, int times) {
    List<@Nullable Object> key = new ArrayList<>(aggregate.keys().size());
    aggregate.keys().forEach(expr -> key.add(GroupKey.of(expr.onRow(row))));
    List<@Nullable Object> values = new ArrayList<>(aggregate.calls().size());
    aggregate
        .calls()
        .forEach(call -> values.add(call.input() == null ? null : call.given().onRow(row)));
    add(key, values, times);
  }

  private void add(List<@Nullable Object> key, List<@Nullable Object> values, int times) {
    List<Accumulator> group = groups.computeIfAbsent(key, k -> accumulators());
    if (!accepts(group, values, times)) {
      finished.add(row(key, group));
      group = accumulators();
      groups.put(key, group);
    }
    if (!accepts(group, values, times)) {
      add(key, values, times / 2);
      add(key, values, times - times / 2);
      return;
    }
    for (int i = 0; i < group.size(); i++) {
      group.get(i).add(values.get(i), times);
    }
  }

  private List<Accumulator> accumulators() {
    return aggregate.calls().stream().map(Accumulator::new).toList();
  }

  private static boolean accepts(
      List<Accumulator> group, List<@Nullable Object> values, int times) {
    for (int i = 0; i < group.size(); i++) {
      if (!group.get(i).accepts(values.get(i), times)) {
        return false;
      }
    }
    return true;
  }

  /** Whether there are so many groups that they should be taken. */
  public boolean isFull() {
    return groups.size() + finished.size() >= MOST_GROUPS;
  }

  /** The rows so far, in the schema of the aggregate; the next row begins anew. */
  public List<InternalRow> take() {
    List<InternalRow> rows = new ArrayList<>(finished);
    groups.forEach((key, group) -> rows.add(row(key, group)));
    groups.clear();
    finished.clear();
    return rows;
  }

  /** What no rows at all give: counts of zero, everything else null. */
  public InternalRow ofNothing() {
    return row(List.of(), accumulators());
  }

  private static InternalRow row(List<@Nullable Object> key, List<Accumulator> group) {
    List<@Nullable Object> values = new ArrayList<>(key);
    group.forEach(accumulator -> values.add(accumulator.result()));
    return new GenericInternalRow(values.toArray());
  }
}
