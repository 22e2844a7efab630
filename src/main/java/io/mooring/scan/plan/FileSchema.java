package io.mooring.scan.plan;

import io.mooring.parquet.footer.UnreadableOnGpuException;
import io.mooring.scan.delta.DeletionVector;
import io.mooring.scan.delta.DeltaFormat;
import io.mooring.scan.iceberg.IcebergFormat;
import io.mooring.scan.iceberg.IcebergReader;
import io.mooring.scan.iceberg.IcebergTask;
import io.mooring.scan.schema.FileColumns;
import io.mooring.scan.schema.FileFields;
import io.mooring.scan.split.ColumnsInFiles;
import io.mooring.scan.split.FileSplit;
import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.sql.execution.datasources.FileFormat;
import org.apache.spark.sql.execution.datasources.HadoopFsRelation;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * How the rows of a scan are found in its files. Travels to executors.
 *
 * @param columns the data columns in their order, by the names or field ids that files have
 * @param tablePath the folder that paths of deletion vectors begin at; empty where there are none
 * @param iceberg what reads deleted rows of an Iceberg table; null for other tables
 */
public record FileSchema(StructType columns, String tablePath, @Nullable IcebergReader iceberg)
    implements Serializable {

  /** The schema of a table that is not Iceberg's. */
  public FileSchema(StructType columns, String tablePath) {
    this(columns, tablePath, null);
  }

  /** The schema of a relation's files, for some of its data columns. */
  public static FileSchema of(HadoopFsRelation relation, StructType dataColumns) {
    StructType inFiles = ColumnsInFiles.of(relation, dataColumns);
    FileFormat format = relation.fileFormat();
    if (IcebergFormat.is(format)) {
      return new FileSchema(inFiles, "", IcebergFormat.of(format).files().reader());
    }
    boolean deletes = DeltaFormat.is(format) && DeltaFormat.of(format).mayDeleteRows();
    String path = deletes ? relation.location().rootPaths().head().toString() : "";
    return new FileSchema(inFiles, path);
  }

  /** The name that files may have for a data column; empty for any other column. */
  Optional<String> name(StructType dataColumns, String column) {
    int at = List.of(dataColumns.fieldNames()).indexOf(column);
    return at < 0 ? Optional.empty() : Optional.of(columns.fieldNames()[at]);
  }

  /**
   * The rows of a split's file that are deleted.
   *
   * @throws UnreadableOnGpuException when they cannot be determined here
   */
  DeletedRows deletedRows(FileSplit split, Configuration conf) throws UnreadableOnGpuException {
    IcebergTask task = IcebergTask.of(split.metadata());
    if (task != null) {
      return deletedRows(task, split);
    } else if (!DeletionVector.isOf(split.metadata())) {
      return DeletedRows.NONE;
    } else if (!DeletionVector.namesDeleted(split.metadata())) {
      throw new UnreadableOnGpuException(
          "the query also reads rows that a deletion vector deletes");
    }
    try {
      return new DeletedRows(DeletionVector.positions(split.metadata(), tablePath, conf));
    } catch (RuntimeException | LinkageError e) {
      // Delta's reader meets the same error and reports it in its own words.
      throw new UnreadableOnGpuException("its deletion vector cannot be read", e);
    }
  }

  private DeletedRows deletedRows(IcebergTask task, FileSplit split)
      throws UnreadableOnGpuException {
    if (!task.mayDeleteRows()) {
      return DeletedRows.NONE;
    }
    try {
      return new DeletedRows(
          Objects.requireNonNull(iceberg).deletedRows(task, split.start(), split.length()));
    } catch (RuntimeException | LinkageError e) {
      // Iceberg's reader meets the same error and reports it in its own words.
      throw new UnreadableOnGpuException("its deleted rows cannot be read", e);
    }
  }

  /**
   * Checks that the columns that a split's file lacks are null in all its rows.
   *
   * @throws UnreadableOnGpuException when one has the value of a partition
   */
  void checkMissing(FileSplit split, FileColumns found) throws UnreadableOnGpuException {
    IcebergTask task = IcebergTask.of(split.metadata());
    if (task == null || Arrays.stream(found.decodedAt()).noneMatch(at -> at < 0)) {
      return;
    }
    Set<Integer> partition = task.partitionColumns();
    for (int i = 0; i < columns.length(); i++) {
      StructField column = columns.fields()[i];
      if (found.decodedAt()[i] < 0 && partition.contains(FileFields.id(column))) {
        throw new UnreadableOnGpuException(
            "column " + column.name() + " is not in the file, but in the name of its partition");
      }
    }
  }
}
