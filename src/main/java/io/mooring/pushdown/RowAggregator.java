package io.mooring.pushdown;

import io.mooring.columnar.ScalarTypes;
import io.mooring.pushdown.AggregateCall.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.util.TypeUtils;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;

/** Aggregates rows that Spark's reader has read. Not thread-safe. */
public final class RowAggregator {
  // The result rows that are returned at once.
  private static final int MOST_RESULTS = 1 << 16;
  // The number of ints whose sum always fits a long.
  private static final long MOST_ROWS = 1L << 31;

  private final PartialAggregate aggregate;
  private final List<InternalRow> finished = new ArrayList<>();
  private final SumOverflowCheck overflow;
  private List<Accumulator> accumulators;
  private long rows;

  /**
   * @param overflow the check of the task that reads the rows
   */
  public RowAggregator(PartialAggregate aggregate, SumOverflowCheck overflow) {
    this.aggregate = aggregate;
    this.overflow = overflow;
    this.accumulators = accumulators();
  }

  /**
   * Adds the same row several times.
   *
   * @param times at least one
   */
  public void add(RowColumns row, int times) {
    List<@Nullable Object> values = new ArrayList<>(aggregate.calls().size());
    aggregate
        .calls()
        .forEach(call -> values.add(call.input() == null ? null : call.argument().onRow(row)));
    if (overflow.add(aggregate.calls(), values, times)) {
      addTo(accumulators, values, times);
      rows += times;
    } else {
      finish();
      addAlone(values, times);
    }
  }

  private static void addTo(
      List<Accumulator> accumulators, List<@Nullable Object> values, int times) {
    for (int i = 0; i < accumulators.size(); i++) {
      accumulators.get(i).add(values.get(i), times);
    }
  }

  /**
   * Puts a row into a result row of its own, so that Spark's sum overflows exactly where it would
   * without push-down.
   */
  private void addAlone(List<@Nullable Object> values, int times) {
    if (times > 1 && !multiply(values, times)) {
      addAlone(values, times / 2);
      addAlone(values, times - times / 2);
      return;
    }
    List<Accumulator> alone = accumulators();
    addTo(alone, values, times);
    finished.add(row(alone));
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

  /** Whether the results should be taken, because of their number or that of their rows. */
  public boolean isFull() {
    return finished.size() >= MOST_RESULTS || rows >= MOST_ROWS;
  }

  /** Returns the results as rows in the schema of the aggregate, and forgets them. */
  public List<InternalRow> take() {
    finish();
    List<InternalRow> taken = List.copyOf(finished);
    finished.clear();
    return taken;
  }

  private void finish() {
    if (rows > 0) {
      finished.add(row(accumulators));
      accumulators = accumulators();
      rows = 0;
    }
  }

  /** The result of no rows: counts are zero, all else is null. */
  public InternalRow ofNothing() {
    return row(accumulators());
  }

  private static InternalRow row(List<Accumulator> accumulators) {
    return new GenericInternalRow(accumulators.stream().map(Accumulator::result).toArray());
  }

  /** The state of one aggregate on rows. Not thread-safe. */
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
