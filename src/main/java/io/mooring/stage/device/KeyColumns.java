package io.mooring.stage.device;

import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.DType;
import ai.rapids.cudf.HostColumnVector;
import ai.rapids.cudf.OrderByArg;
import ai.rapids.cudf.Scalar;
import ai.rapids.cudf.Table;
import io.mooring.scan.prune.KeyRanges;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the values of a join's key say of the files that are joined with it. */
final class KeyColumns {
  private static final Set<DType> WHOLE_NUMBERS =
      Set.of(DType.INT32, DType.INT64, DType.TIMESTAMP_DAYS);
  // Sorting these takes less than a millisecond and less memory than the hash table. More keys
  // than these leave few gaps.
  private static final int MOST_SORTED = 1 << 20;

  private KeyColumns() {}

  /**
   * Ranges that hold the values; null unless they are ints, longs or dates. Waits for the calling
   * thread's stream.
   */
  static @Nullable KeyRanges ranges(ColumnVector key) {
    if (!WHOLE_NUMBERS.contains(key.getType())) {
      return null;
    } else if (key.getNullCount() == key.getRowCount()) {
      return KeyRanges.EMPTY;
    } else if (key.getRowCount() <= MOST_SORTED) {
      return KeyRanges.of(ascending(key));
    }
    try (Scalar least = key.min();
        Scalar greatest = key.max()) {
      return KeyRanges.between(value(least), value(greatest));
    }
  }

  private static long value(Scalar scalar) {
    return scalar.getType().equals(DType.INT64) ? scalar.getLong() : scalar.getInt();
  }

  private static long[] ascending(ColumnVector key) {
    int values = (int) (key.getRowCount() - key.getNullCount());
    try (Table table = new Table(key);
        Table sorted = table.orderBy(OrderByArg.asc(0, false));
        HostColumnVector host = sorted.getColumn(0).copyToHost()) {
      boolean longs = key.getType().equals(DType.INT64);
      long[] ascending = new long[values];
      for (int at = 0; at < values; at++) {
        ascending[at] = longs ? host.getLong(at) : host.getInt(at);
      }
      return ascending;
    }
  }
}
