package io.mooring.pushdown.device;

import io.mooring.expr.device.SparkFallbackException;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * Checks the minima and maxima that libcudf gives. Each check throws {@link SparkFallbackException}
 * where Spark's may be another.
 */
final class ExtremeChecks {
  /** The value with which libcudf starts a minimum of strings; all valid UTF-8 is less. */
  private static final UTF8String GREATEST =
      UTF8String.fromBytes(new byte[] {(byte) 0xf7, (byte) 0xbf, (byte) 0xbf, (byte) 0xbf});

  private ExtremeChecks() {}

  /** Checks the minimum or maximum of strings. */
  static void checkText(UTF8String extreme) {
    if (extreme.equals(GREATEST)) {
      throw textsNeeded();
    }
  }

  private static SparkFallbackException textsNeeded() {
    return new SparkFallbackException("strings of a minimum may not be UTF-8");
  }
}
