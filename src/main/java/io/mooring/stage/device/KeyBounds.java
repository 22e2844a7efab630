package io.mooring.stage.device;

import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.DType;
import ai.rapids.cudf.Scalar;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The least and the greatest value of a key, without nulls; the least is greater where there is no
 * value. Dates count in days.
 */
record KeyBounds(long least, long greatest) {
  private static final Set<DType> TYPES = Set.of(DType.INT32, DType.INT64, DType.TIMESTAMP_DAYS);

  /** The bounds of a key without values. */
  static final KeyBounds NO_VALUE = new KeyBounds(1, 0);

  /**
   * The bounds of a key; null unless it is an int, a long or a date. Waits for the calling thread's
   * stream.
   */
  static @Nullable KeyBounds of(ColumnVector key) {
    if (!TYPES.contains(key.getType())) {
      return null;
    } else if (key.getNullCount() == key.getRowCount()) {
      return NO_VALUE;
    }
    try (Scalar least = key.min();
        Scalar greatest = key.max()) {
      return new KeyBounds(value(least), value(greatest));
    }
  }

  private static long value(Scalar scalar) {
    return scalar.getType().equals(DType.INT64) ? scalar.getLong() : scalar.getInt();
  }
}
