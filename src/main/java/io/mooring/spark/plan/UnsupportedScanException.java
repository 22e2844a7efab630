package io.mooring.spark.plan;

/** Thrown for a relation that Spark reads. EXPLAIN shows the reason. */
public final class UnsupportedScanException extends Exception {
  private final String reason;

  UnsupportedScanException(String reason) {
    super(reason, null, false, false);
    this.reason = reason;
  }

  String reason() {
    return reason;
  }
}
