package io.mooring.pushdown;

/** Rows of which the device cannot tell Spark's result: Spark has to see them one by one. */
public final class RowsNeededException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  RowsNeededException(String reason) {
    super(reason);
  }
}
