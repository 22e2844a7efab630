package io.mooring.spark.plan;

/** A relation stays with Spark: the reason is for the user, who sees it in EXPLAIN. */
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
