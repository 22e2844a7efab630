package io.mooring.pushdown;

import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;

/** Values as Spark groups by them: one NaN, one zero. */
final class GroupKey {
  private GroupKey() {}

  static @Nullable Object of(@Nullable Object value) {
    if (value instanceof Double number) {
      return number.isNaN() ? Double.NaN : number + 0.0;
    } else if (value instanceof Float number) {
      return number.isNaN() ? Float.NaN : number + 0.0f;
    }
    // Spark's reader writes over the bytes that a string may point to.
    return value instanceof UTF8String text ? text.copy() : value;
  }
}
