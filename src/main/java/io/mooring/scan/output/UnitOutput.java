package io.mooring.scan.output;

import ai.rapids.cudf.Table;
import io.mooring.columnar.ColumnShape;
import io.mooring.columnar.TableDownload;
import io.mooring.parquet.read.ScanResources;
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
  /** A batch, and the split whose rows it has. */
  record FileBatch(FileSplit split, ColumnarBatch batch) {}

  /** The part of the device's resources by which the units are read and decoded. */
  default ScanResources resources(ScanResources shared) {
    return shared;
  }

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

  /** Notes that the batches of a unit leave the task: nothing of the unit can fail any more. */
  default void give(List<FileBatch> unit) {}

  /** Notes that a unit was decoded as a whole, with or without batches. */
  default void done(ScanUnit unit) {}

  /** Forgets the chunks of a unit that has failed. */
  default void drop() {}

  /** Whether results of decoded units wait on the device. */
  default boolean holds() {
    return false;
  }

  /**
   * Merges the results that are held, or returns some of them.
   *
   * @param atEnd whether no unit follows: then all are returned
   */
  default List<FileBatch> settle(boolean atEnd) {
    return List.of();
  }

  /** Drops the results that are held, and returns their splits, which have to be read again. */
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
   * @param rows the number of rows of each file
   * @param table belongs to the caller, who closes it
   * @param endTurn lets other tasks compute on the device; run when what is left is a copy to the
   *     host
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record DecodedUnit(List<FilePlan> plans, long[] rows, Table table, Runnable endTurn) {
    public static DecodedUnit of(ScanUnit unit, Table table, Runnable endTurn) {
      long[] rows = unit.unit().rowsOfFiles();
      // A chunk belongs to one file, and has some of its rows.
      Arrays.setAll(rows, i -> Math.min(rows[i], table.getRowCount()));
      List<FilePlan> plans = unit.files().stream().map(FileUnit::plan).toList();
      return new DecodedUnit(plans, rows, table, endTurn);
    }

    /** The plan of the first file, for what is the same in all files. */
    public FilePlan plan() {
      return plans.get(0);
    }
  }
}
