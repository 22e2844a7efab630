package io.mooring.expr.device;

import ai.rapids.cudf.ColumnVector;
import java.util.List;

/**
 * Columns of the same number of rows on the device. Owns one reference of each column until it is
 * closed. Belongs to one thread.
 */
public final class DeviceBatch implements AutoCloseable {
  private final List<ColumnVector> columns;
  private final long rows;

  /**
   * Takes over one reference of each column.
   *
   * @param rows their number, which a batch without columns has too
   */
  public DeviceBatch(List<ColumnVector> columns, long rows) {
    this.columns = List.copyOf(columns);
    this.rows = rows;
  }

  /** The column at an ordinal; it stays the batch's. */
  public ColumnVector column(int ordinal) {
    return columns.get(ordinal);
  }

  public int width() {
    return columns.size();
  }

  public long rows() {
    return rows;
  }

  /** Bytes of the columns on the device; a column that batches share counts in each. */
  public long bytes() {
    return columns.stream().mapToLong(ColumnVector::getDeviceMemorySize).sum();
  }

  @Override
  public void close() {
    columns.forEach(ColumnVector::close);
  }
}
