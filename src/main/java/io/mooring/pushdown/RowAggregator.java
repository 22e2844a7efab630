package io.mooring.pushdown;

import io.mooring.columnar.ScalarTypes;
import io.mooring.pushdown.AggregateCall.Kind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.util.TypeUtils;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;

/** Aggregates rows that Spark's reader has read. Not thread-safe. */
public final class RowAggregator {
  // The groups that are returned at once; Spark merges groups of the same key.
  private static final int MOST_GROUPS = 1 << 16;
  // The number of ints whose sum always fits a long.
  private static final long MOST_ROWS = 1L << 31;

  private final PartialAggregate aggregate;
  private final Map<List<@Nullable Object>, List<Accumulator>> groups = new HashMap<>();
  private final List<InternalRow> finished = new ArrayList<>();
  private final SumOverflowCheck overflow;
  private long rows;

  /**
   * @param overflow the check of the task that reads the rows
   */
  public RowAggregator(PartialAggregate aggregate, SumOverflowCheck overflow) {
    this.aggregate = aggregate;
    this.overflow = overflow;
  }

  /**
   * Adds the same row several times.
   *
   * @param times at least one
   */
  public void add(RowColumns row, int times) {
    List<@Nullable Object> key = new ArrayList<>(aggregate.keys().size());
    aggregate.keys().forEach(expr -> key.add(groupKey(expr.onRow(row))));
    List<@Nullable Object> values = new ArrayList<>(aggregate.calls().size());
    aggregate
        .calls()
        .forEach(call -> values.add(call.input() == null ? null : call.argument().onRow(row)));
    add(key, values, times);
  }

  /** The value as Spark groups by it: with one NaN and one zero. */
  private static @Nullable Object groupKey(@Nullable Object value) {
    if (value instanceof Double number) {
      return number.isNaN() ? Double.NaN : number + 0.0;
    } else if (value instanceof Float number) {
      return number.isNaN() ? Float.NaN : number + 0.0f;
    }
    // Spark's reader reuses the memory that a string may point to.
    return value instanceof UTF8String text ? text.copy() : value;
  }

  private void add(List<@Nullable Object> key, List<@Nullable Object> values, int times) {
    rows += times;
    if (overflow.add(aggregate.calls(), values, times)) {
      addTo(groups.computeIfAbsent(key, k -> accumulators()), values, times);
    } else {
      finishGroups();
      addAlone(key, values, times);
    }
  }

  private static void addTo(List<Accumulator> group, List<@Nullable Object> values, int times) {
    for (int i = 0; i < group.size(); i++) {
      group.get(i).add(values.get(i), times);
    }
  }

  /**
   * Puts a row into a result row of its own, so that Spark's sum overflows exactly where it would
   * without push-down.
   */
  private void addAlone(List<@Nullable Object> key, List<@Nullable Object> values, int times) {
    if (times > 1 && !multiply(values, times)) {
      addAlone(key, values, times / 2);
      addAlone(key, values, times - times / 2);
      return;
    }
    List<Accumulator> alone = accumulators();
    addTo(alone, values, times);
    finished.add(row(key, alone));
  }

  private boolean multiply(List<@Nullable Object> values, int times) {
    for (int i = 0; i < values.size(); i++) {
      if (SumOverflowCheck.checks(aggregate.calls().get(i))
          && values.get(i) instanceof Number value
          && !SumOverflowCheck.fitsLong(value.longValue(), times)) {
        return false;
      }
    }
    return true;
  }

  private List<Accumulator> accumulators() {
    return aggregate.calls().stream().map(Accumulator::new).toList();
  }

  /** Whether the groups should be taken, because of their number or that of their rows. */
  public boolean isFull() {
    return groups.size() + finished.size() >= MOST_GROUPS || rows >= MOST_ROWS;
  }

  /** Returns the groups as rows in the schema of the aggregate, and forgets them. */
  public List<InternalRow> take() {
    finishGroups();
    List<InternalRow> taken = List.copyOf(finished);
    finished.clear();
    rows = 0;
    return taken;
  }

  private void finishGroups() {
    groups.forEach((key, group) -> finished.add(row(key, group)));
    groups.clear();
  }

  /** The result of no rows: counts are zero, all else is null. */
  public InternalRow ofNothing() {
    return row(List.of(), accumulators());
  }

  private static InternalRow row(List<@Nullable Object> key, List<Accumulator> group) {
    List<@Nullable Object> values = new ArrayList<>(key);
    group.forEach(accumulator -> values.add(accumulator.result()));
    return new GenericInternalRow(values.toArray());
  }

  /** The state of one aggregate of one group on rows. Not thread-safe. */
  private static final class Accumulator {
    private final AggregateCall call;
    private @Nullable Object state;

    Accumulator(AggregateCall call) {
      this.call = call;
      this.state = isCount(call) ? 0L : null;
    }

    static boolean isCount(AggregateCall call) {
      return call.kind() == Kind.COUNT_ROWS || call.kind() == Kind.COUNT;
    }

    @Nullable Object result() {
      return state;
    }

    /**
     * Adds the same row several times.
     *
     * @param value the call's input; null for a count of rows
     */
    void add(@Nullable Object value, int times) {
      if (call.kind() == Kind.COUNT_ROWS) {
        state = count() + times;
      } else if (value != null) {
        addKnown(value, times);
      }
    }

    private long count() {
      return Objects.requireNonNull((Long) state);
    }

    private void addKnown(Object value, int times) {
      switch (call.kind()) {
        case COUNT -> state = count() + times;
        case SUM -> state = sum((Number) value, times);
        default -> keepExtreme(value);
      }
    }

    private Object sum(Number value, int times) {
      if (ScalarTypes.isFloating(call.argument().type())) {
        return (state == null ? 0.0 : (Double) state) + value.doubleValue() * times;
      }
      return (state == null ? 0L : (Long) state) + value.longValue() * times;
    }

    private void keepExtreme(Object value) {
      if (state != null) {
        int order = TypeUtils.getInterpretedOrdering(call.argument().type()).compare(value, state);
        if (call.kind() == Kind.MIN ? order >= 0 : order <= 0) {
          return;
        }
      }
      // Spark's reader reuses the memory that a string may point to.
      state = value instanceof UTF8String text ? text.copy() : value;
    }
  }
}
