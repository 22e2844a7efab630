package io.mooring.parquet.read;

import ai.rapids.cudf.Table;
import io.mooring.parquet.unit.ReadUnit;
import io.mooring.parquet.unit.ScanCounters;
import io.mooring.parquet.unit.ScanCounters.Counter;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Decodes units at once or in chunks, and holds the rows to the footer's count of them. Belongs to
 * the thread of its task.
 */
public final class UnitDecoding {
  private final TableDecoder decoder = new HybridTableDecoder();
  private final ScanCounters counters;

  public UnitDecoding(ScanCounters counters) {
    this.counters = counters;
  }

  /**
   * Gives the tables of a unit whose bytes are on the device, one after the other, to {@code use},
   * which must not keep them.
   *
   * @throws IllegalStateException when there are other rows than the footer says: of a unit in
   *     chunks some have been given then
   */
  public void decode(UnitUpload upload, Consumer<Table> use) {
    if (upload.unit().isChunked()) {
      chunks(upload, use);
    } else {
      whole(upload, use);
    }
  }

  private void whole(UnitUpload upload, Consumer<Table> use) {
    long before = System.nanoTime();
    try (Table table = decoder.decode(upload)) {
      counters.add(Counter.DECODE_TIME, System.nanoTime() - before);
      // A footer can lie, and whoever reads the columns trusts its count.
      checkRows(upload.unit(), table.getRowCount());
      count(upload.unit());
      use.accept(table);
    }
  }

  private void chunks(UnitUpload upload, Consumer<Table> use) {
    ReadUnit unit = upload.unit();
    long rows = 0;
    try (TableChunks chunks = TableChunks.of(upload)) {
      for (Table next = next(chunks); next != null; next = next(chunks)) {
        try (Table chunk = next) {
          counters.add(Counter.CHUNKS_DECODED, 1);
          rows += chunk.getRowCount();
          if (chunk.getRowCount() == 0 || rows > unit.rows()) {
            checkRows(unit, rows);
          }
          use.accept(chunk);
        }
      }
    }
    checkRows(unit, rows);
    count(unit);
  }

  private @Nullable Table next(TableChunks chunks) {
    long before = System.nanoTime();
    Table next = chunks.next();
    counters.add(Counter.DECODE_TIME, System.nanoTime() - before);
    return next;
  }

  private static void checkRows(ReadUnit unit, long rows) {
    if (rows != unit.rows()) {
      throw new IllegalStateException(
          "The footer promises " + unit.rows() + " rows, there are " + rows);
    }
  }

  private void count(ReadUnit unit) {
    counters.add(Counter.ROW_GROUPS_READ, unit.rowGroups().length);
    counters.add(Counter.PAGES_SKIPPED, unit.pagesSkipped());
  }
}
