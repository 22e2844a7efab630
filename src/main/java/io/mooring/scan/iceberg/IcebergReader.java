package io.mooring.scan.iceberg;

import static io.mooring.scan.iceberg.IcebergScan.LIBRARY;

import java.io.Serializable;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.stream.LongStream;
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
   * The columns of a range of a file that a scan asks for, as batches. Closing the iterator
   * closes the file.
   *
   * @param columns by their names among those of the scan
   */
  IcebergBatches read(IcebergTask task, long start, long length, StructType columns) {
    Object part =
        LIBRARY.create(
            "org.apache.iceberg.BaseFileScanTask$SplitScanTask", start, length, task.task());
    InputPartition partition = IcebergVersion.with(known(), List.of(part));
    boolean columnar = readers.supportColumnarReads(partition);
    PartitionReader<?> reader =
        columnar ? readers.createColumnarReader(partition) : readers.createReader(partition);
    return new IcebergBatches(reader, columnar, schema, columns);
  }

  /**
   * Reads which rows of a file are deleted.
   *
   * @return their indexes in the file, ascending
   * @throws RuntimeException when that cannot be read
   */
  public long[] deletedRows(IcebergTask task) {
    Object io = IcebergVersion.io(known());
    Function<Object, Object> open =
        delete -> {
          IcebergFile file = new IcebergFile(delete);
          return LIBRARY.call(io, "newInputFile", file.location(), file.length());
        };
    Object loader = LIBRARY.create("org.apache.iceberg.data.BaseDeleteLoader", open);
    Object index = LIBRARY.call(loader, "loadPositionDeletes", task.rawDeletes(), task.location());
    LongStream.Builder rows = LongStream.builder();
    LIBRARY.get(index, "forEach", (LongConsumer) rows::add);
    return rows.build().sorted().toArray();
  }

  private InputPartition known() {
    return Objects.requireNonNull(table, "a scan without files has a file");
  }
}
