package io.mooring.parquet.pageskip;

/** The rows of a row group that are selected. */
@FunctionalInterface
public interface RowSelection {
  /** Whether one of the rows from {@code from} to before {@code to} is. */
  boolean any(long from, long to);
}
