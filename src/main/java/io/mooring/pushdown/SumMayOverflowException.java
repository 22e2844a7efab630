package io.mooring.pushdown;

/** A sum of longs that cannot be shown to fit: Spark's rules for overflow need row by row. */
public final class SumMayOverflowException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  SumMayOverflowException() {
    super("the sum of a column may overflow");
  }
}
