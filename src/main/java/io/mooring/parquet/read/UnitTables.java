package io.mooring.parquet.read;

import ai.rapids.cudf.Table;
import io.mooring.parquet.unit.ReadUnit;
import io.mooring.parquet.unit.ScanCounters;
import io.mooring.parquet.unit.ScanCounters.Counter;
import org.jspecify.annotations.Nullable;

/**
 * The decoded tables of one unit, in row order: a single one, or several of a chunked unit. Until
 * it is closed it holds the unit's encoded bytes on the device, its admission, and the task's turn.
 * Belongs to the thread of its task, which closes it before the next call of {@link UnitPipeline}.
 */
public final class UnitTables implements AutoCloseable {
  private final ReadUnit unit;
  private final DecodedTables tables;
  private final DecodeMonitor.Decode decode;
  private final Hold hold;
  private final TaskLimit.Turn turn;
  private final ScanCounters counters;
  private long rows;
  private boolean ended;

  /** The unit's upload and its admission, both let go when this is closed. */
  interface Hold extends AutoCloseable {
    @Override
    void close();
  }

  UnitTables(
      ReadUnit unit,
      DecodedTables tables,
      DecodeMonitor.Decode decode,
      Hold hold,
      TaskLimit.Turn turn,
      ScanCounters counters) {
    this.unit = unit;
    this.tables = tables;
    this.decode = decode;
    this.hold = hold;
    this.turn = turn;
    this.counters = counters;
  }

  /**
   * Decodes the next table, which the caller closes; null after the last.
   *
   * @throws IllegalStateException when there are other rows than the footer says; for a chunked
   *     unit some tables may have been given by then
   */
  public @Nullable Table next() {
    if (ended) {
      return null;
    }
    long before = System.nanoTime();
    Table table = tables.next();
    counters.add(Counter.DECODE_TIME, System.nanoTime() - before);
    if (table == null) {
      end();
      return null;
    }
    boolean checked = false;
    try {
      check(table.getRowCount());
      checked = true;
      return table;
    } finally {
      if (!checked) {
        table.close();
      }
    }
  }

  /**
   * Checks the number of rows: readers of the columns trust the footer's count, which may be wrong.
   */
  private void check(long rowsOfTable) {
    rows += rowsOfTable;
    if (!unit.isChunked()) {
      end();
      return;
    }
    counters.add(Counter.CHUNKS_DECODED, 1);
    if (rowsOfTable == 0 || rows > unit.rows()) {
      checkRows();
    }
  }

  private void end() {
    checkRows();
    ended = true;
    counters.add(Counter.ROW_GROUPS_READ, unit.rowGroups().length);
    counters.add(Counter.PAGES_SKIPPED, unit.pagesSkipped());
  }

  private void checkRows() {
    if (rows != unit.rows()) {
      throw new IllegalStateException(
          "The footer promises " + unit.rows() + " rows, there are " + rows);
    }
  }

  /**
   * Lets another task decode and compute, where the last table was decoded: this task only copies
   * to the host. The task of a chunked unit has its turn until {@link #close}.
   */
  public void endTurn() {
    if (ended) {
      turn.close();
    }
  }

  /**
   * Frees what the decoder holds, then the encoded bytes, gives the admission back, and ends the
   * turn.
   */
  @Override
  public void close() {
    try (turn;
        hold;
        decode;
        tables) {
      // Closed in reverse order.
      ended = true;
    }
  }
}
