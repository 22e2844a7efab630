package io.mooring.scan.iceberg;

import static io.mooring.scan.iceberg.IcebergScan.LIBRARY;

import io.mooring.parquet.source.ParquetFile;
import java.io.Serializable;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.execution.datasources.FileStatusWithMetadata;
import org.jspecify.annotations.Nullable;
import scala.collection.immutable.Map;
import scala.collection.immutable.Map$;

/**
 * Iceberg's task for one data file: its path and range, and the files that say which of its rows
 * are deleted. Travels to executors with the file.
 *
 * @param task Iceberg's own description
 */
public record IcebergTask(Object task) implements Serializable {
  private static final String KEY = "mooring_iceberg_task";
  private static final String PACKAGE = "org.apache.iceberg.";

  /** The task that came with a file; null where the file belongs to no Iceberg table. */
  public static @Nullable IcebergTask of(Map<String, Object> file) {
    return file.contains(KEY) ? (IcebergTask) file.apply(KEY) : null;
  }

  /** Whether a data file is read, and not metadata, changes or deletes. */
  boolean readsData() {
    return (boolean) LIBRARY.call(task, "isFileScanTask")
        && !(boolean) LIBRARY.call(task, "isDataTask");
  }

  IcebergFile file() {
    return new IcebergFile(LIBRARY.call(task, "file"));
  }

  /** The place of the data file, as Iceberg shows it. */
  public String location() {
    return file().location();
  }

  /** The files that say which rows are deleted. */
  List<IcebergFile> deletes() {
    return rawDeletes().stream().map(IcebergFile::new).toList();
  }

  List<?> rawDeletes() {
    return (List<?>) LIBRARY.call(task, "deletes");
  }

  /** Whether rows of the file may be deleted. */
  public boolean mayDeleteRows() {
    return !rawDeletes().isEmpty();
  }

  /** Whether some of these rows are named by their values. */
  boolean mayDeleteByValue() {
    return deletes().stream().anyMatch(IcebergFile::deletesByValue);
  }

  /** Iceberg's task for a range of the file. */
  Object part(long start, long length) {
    return LIBRARY.create(PACKAGE + "BaseFileScanTask$SplitScanTask", start, length, task);
  }

  /** The same file and deletes for a query without conditions, by which no row is left out. */
  IcebergTask withoutConditions() {
    Object schema = LIBRARY.call(task, "schema");
    Object spec = LIBRARY.call(task, "spec");
    Object all = LIBRARY.callStatic(PACKAGE + "expressions.Expressions", "alwaysTrue");
    return new IcebergTask(
        LIBRARY.create(
            PACKAGE + "BaseFileScanTask",
            LIBRARY.call(task, "file"),
            LIBRARY.array(PACKAGE + "DeleteFile", rawDeletes()),
            LIBRARY.callStatic(PACKAGE + "SchemaParser", "toJson", schema),
            LIBRARY.callStatic(PACKAGE + "PartitionSpecParser", "toJson", spec),
            LIBRARY.callStatic(PACKAGE + "expressions.ResidualEvaluator", "unpartitioned", all)));
  }

  /**
   * The field ids of columns that have one value in the file, that of its partition. A file need
   * not have such a column.
   */
  public Set<Integer> partitionColumns() {
    List<?> fields = (List<?>) LIBRARY.call(LIBRARY.call(task, "spec"), "fields");
    return fields.stream()
        .filter(it -> (boolean) LIBRARY.call(LIBRARY.call(it, "transform"), "isIdentity"))
        .map(it -> (Integer) LIBRARY.call(it, "sourceId"))
        .collect(Collectors.toSet());
  }

  /** The whole data file with this task, as file indexes list files. */
  FileStatusWithMetadata listed() {
    IcebergFile file = file();
    // Data files never change, so that no reader need tell by a time whether one has.
    FileStatus status =
        new FileStatus(
            file.length(), false, 0, 0, ParquetFile.NEVER_REWRITTEN, new Path(file.location()));
    return new FileStatusWithMetadata(
        status, Map$.MODULE$.<String, Object>empty().updated(KEY, this));
  }
}
