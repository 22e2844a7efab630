package io.mooring.pushdown;

import io.mooring.columnar.ScalarTypes;
import io.mooring.pushdown.AggregateCall.Kind;
import java.util.Objects;
import org.apache.spark.sql.catalyst.util.TypeUtils;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;

/** The state of one aggregate of one group on rows. Not thread-safe. */
final class Accumulator {
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
