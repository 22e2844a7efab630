package io.mooring.spark;

/** A relation stays with Spark: the reason is for the user, who sees it in EXPLAIN. */
final class SparksToReadException extends Exception {
  private final String reason;

  SparksToReadException(String reason) {
    super(reason, null, false, false);
    this.reason = reason;
  }

  String reason() {
    return reason;
  }
}
