package io.mooring.scan.split;

import io.mooring.scan.delta.DeltaFormat;
import io.mooring.scan.iceberg.IcebergFormat;
import org.apache.spark.sql.execution.datasources.FileFormat;
import org.apache.spark.sql.execution.datasources.HadoopFsRelation;
import org.apache.spark.sql.types.StructType;

/** Finds out what the columns of a relation are called in its files. */
public final class ColumnsInFiles {
  private ColumnsInFiles() {}

  /** Data columns in their order, by the names, or with the field ids, that files have. */
  public static StructType of(HadoopFsRelation relation, StructType columns) {
    FileFormat format = relation.fileFormat();
    if (IcebergFormat.is(format)) {
      return IcebergFormat.of(format).files().scan().inFiles(columns);
    }
    return DeltaFormat.is(format) ? DeltaFormat.of(format).inFiles(columns) : columns;
  }
}
