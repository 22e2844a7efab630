package io.mooring.scan.output;

import ai.rapids.cudf.Table;
import io.mooring.columnar.ColumnShape;
import io.mooring.columnar.TableDownload;
import io.mooring.parquet.unit.ScanCounters;
import io.mooring.parquet.unit.ScanCounters.Counter;
import io.mooring.scan.plan.FilePlan;
import io.mooring.scan.plan.ScanUnit;
import io.mooring.scan.plan.ScanUnit.FileUnit;
import io.mooring.scan.split.FileSplit;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/** Makes batches of the units that a task decodes. Belongs to the thread of its task. */
public interface UnitOutput extends AutoCloseable {
  /** A batch and the split that its rows are of. */
  record FileBatch(FileSplit split, ColumnarBatch batch) {}

  /** The batches of a decoded unit, or of a chunk of one, which the caller closes. */
  List<FileBatch> ofDevice(DecodedUnit unit);

  /** The columns of a table on the device in host memory; time and bytes are counted. */
  static TableDownload.Result download(
      Table table, List<ColumnShape> shapes, ScanCounters counters) {
    long before = System.nanoTime();
    TableDownload.Result result = TableDownload.download(table, shapes);
    counters.add(Counter.DOWNLOAD_TIME, System.nanoTime() - before);
    counters.add(Counter.DOWNLOAD_BYTES, result.bytes());
    return result;
  }

  /** The batches of a unit leave: nothing of it can fail any more. */
  default void give(List<FileBatch> unit) {}

  /** A unit came through, whatever was made of it. */
  default void done(ScanUnit unit) {}

  /** A unit of which some chunks may have been decoded has failed: they count for nothing. */
  default void drop() {}

  /** Whether something of units that came through waits on the device. */
  default boolean holds() {
    return false;
  }

  /**
   * Merges what is held, or gives some of it.
   *
   * @param atEnd whether no unit follows: then everything is given
   */
  default List<FileBatch> settle(boolean atEnd) {
    return List.of();
  }

  /** Drops what is held, and returns the splits that it was made of, which are to be read again. */
  default List<FileSplit> abandon() {
    return List.of();
  }

  /** The task needs it no more; nothing is held. */
  @Override
  default void close() {}

  /**
   * A unit, or a chunk of one, on the device: the rows of its files one behind the other.
   *
   * @param plans of its files
   * @param rows how many are of each
   * @param table belongs to the caller, who closes it
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record DecodedUnit(List<FilePlan> plans, long[] rows, Table table) {
    public static DecodedUnit of(ScanUnit unit, Table table) {
      long[] rows = unit.unit().rowsOfFiles();
      // A chunk is of one file, and has some of its rows.
      Arrays.setAll(rows, i -> Math.min(rows[i], table.getRowCount()));
      return new DecodedUnit(unit.files().stream().map(FileUnit::plan).toList(), rows, table);
    }

    /** Stands for all where what is asked of it is the same in every file. */
    public FilePlan plan() {
      return plans.get(0);
    }
  }
}
