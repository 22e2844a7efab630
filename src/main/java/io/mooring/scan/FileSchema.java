package io.mooring.scan;

import io.mooring.parquet.footer.UnreadableOnGpuException;
import io.mooring.scan.delta.DeletionVector;
import io.mooring.scan.delta.DeltaFormat;
import java.io.Serializable;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.sql.execution.datasources.FileFormat;
import org.apache.spark.sql.types.StructType;

/**
 * How the rows of a scan are found in its files. Travels to executors.
 *
 * @param columns the data columns in their order, by the names or field ids that files have
 * @param tablePath the folder that paths of deletion vectors begin at; empty where there are none
 */
record FileSchema(StructType columns, String tablePath) implements Serializable {

  static FileSchema of(MooringScan scan) {
    FileFormat format = scan.relation().fileFormat();
    if (!DeltaFormat.is(format)) {
      return new FileSchema(scan.dataColumns(), "");
    }
    DeltaFormat delta = DeltaFormat.of(format);
    String path = scan.relation().location().rootPaths().head().toString();
    return new FileSchema(delta.inFiles(scan.dataColumns()), delta.mayDeleteRows() ? path : "");
  }

  /** The name that files have for a data column; empty where they have it by an id, or not at all. */
  Optional<String> name(StructType dataColumns, String column) {
    int at = List.of(dataColumns.fieldNames()).indexOf(column);
    return at < 0 || columns.fields()[at].metadata().contains(FileFields.FIELD_ID_KEY)
        ? Optional.empty()
        : Optional.of(columns.fieldNames()[at]);
  }

  /**
   * The rows of a split's file that are deleted.
   *
   * @throws UnreadableOnGpuException when that cannot be told here
   */
  DeletedRows deletedRows(FileSplit split, Configuration conf) throws UnreadableOnGpuException {
    if (!DeletionVector.isOf(split.told())) {
      return DeletedRows.NONE;
    } else if (!DeletionVector.namesDeleted(split.told())) {
      throw new UnreadableOnGpuException("rows are wanted that a deletion vector names");
    }
    try {
      return new DeletedRows(DeletionVector.positions(split.told(), tablePath, conf));
    } catch (RuntimeException | LinkageError e) {
      // Delta's reader meets the same error and reports it in its own words.
      throw new UnreadableOnGpuException("its deletion vector cannot be read", e);
    }
  }
}
