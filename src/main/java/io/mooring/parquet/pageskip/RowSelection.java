package io.mooring.parquet.pageskip;

/** Which rows of a row group are wanted. */
@FunctionalInterface
public interface RowSelection {
  /** Whether one of the rows from {@code from} to before {@code to} is. */
  boolean any(long from, long to);
}
