package io.mooring.scan.iceberg;

import static io.mooring.scan.iceberg.IcebergScan.LIBRARY;

import java.io.Serializable;
import java.util.List;
import java.util.Objects;
import org.apache.spark.sql.connector.read.Batch;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * Iceberg's own reader of the files of a scan. Made on the driver, used on executors; immutable and
 * thread-safe.
 *
 * @param readers of partitions
 * @param table a partition without tasks, which knows table and columns; null where there is none
 * @param schema the columns of the scan in their order
 */
public record IcebergReader(
    PartitionReaderFactory readers, @Nullable InputPartition table, StructType schema)
    implements Serializable {

  static IcebergReader of(IcebergScan scan) {
    Batch batch = scan.scan().toBatch();
    InputPartition[] partitions = batch.planInputPartitions();
    InputPartition table =
        partitions.length == 0 ? null : IcebergVersion.with(partitions[0], List.of());
    return new IcebergReader(batch.createReaderFactory(), table, scan.schema());
  }

  /**
   * The columns of a range of a file that a scan asks for, as batches. Closing the iterator closes
   * the file.
   *
   * @param columns by their names among those of the scan
   */
  IcebergBatches read(IcebergTask task, long start, long length, StructType columns) {
    return batches(
        IcebergVersion.with(known(), List.of(task.part(start, length))), schema, columns);
  }

  /**
   * The columns of Iceberg's own, of the rows of a range of a file, whatever the scan asks for. A
   * scan that reads other columns gives batches or rows as this one does.
   *
   * @param columns as Iceberg has them, in JSON
   * @param schema the same as Spark has them
   */
  IcebergBatches read(
      IcebergTask task, long start, long length, String columns, StructType schema) {
    List<?> part = List.of(task.part(start, length));
    return batches(IcebergVersion.with(known(), part, columns), schema, schema);
  }

  private IcebergBatches batches(InputPartition partition, StructType all, StructType columns) {
    boolean columnar = readers.supportColumnarReads(partition);
    PartitionReader<?> reader =
        columnar ? readers.createColumnarReader(partition) : readers.createReader(partition);
    return new IcebergBatches(reader, columnar, all, columns);
  }

  /**
   * Reads which rows of a range of a file are deleted.
   *
   * @return their indexes in the file, ascending; those of other ranges may be among them
   * @throws RuntimeException when that cannot be read
   */
  public long[] deletedRows(IcebergTask task, long start, long length) {
    IcebergDeletes deletes = new IcebergDeletes(this, task);
    return task.mayDeleteByValue() ? deletes.byValue(start, length) : deletes.byPlace();
  }

  /** Iceberg's table, as executors know it. */
  Object icebergTable() {
    return LIBRARY.call(known(), "table");
  }

  /** Iceberg's access to the table's files. */
  Object io() {
    return IcebergVersion.io(known());
  }

  private InputPartition known() {
    return Objects.requireNonNull(table, "a scan without files has a file");
  }
}
