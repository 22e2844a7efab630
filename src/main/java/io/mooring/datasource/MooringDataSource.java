package io.mooring.datasource;

import org.apache.spark.sql.execution.datasources.parquet.ParquetFileFormat;

/**
 * The data source {@code mooring}: Parquet files that Mooring reads even where Spark's own format
 * is left to Spark. Without the plugin it is Spark's Parquet format under another name.
 */
public final class MooringDataSource extends ParquetFileFormat {
  /** The name for {@code format(...)}, {@code USING}, and SQL on a path. */
  public static final String NAME = "mooring";

  @Override
  public String shortName() {
    return NAME;
  }

  @Override
  public String toString() {
    return "Mooring";
  }
}
