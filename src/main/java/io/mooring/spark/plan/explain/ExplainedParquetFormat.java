package io.mooring.spark.plan.explain;

import org.apache.spark.sql.execution.datasources.parquet.ParquetFileFormat;

/** Spark's Parquet format under a name that tells why Mooring does not read the relation. */
public final class ExplainedParquetFormat extends ParquetFileFormat {
  private final String reason;

  public ExplainedParquetFormat(String reason) {
    this.reason = ExplainedScans.text(reason);
  }

  /** The format in the name of the scan, which EXPLAIN and the UI show. */
  @Override
  public String shortName() {
    return super.shortName() + " " + reason;
  }
}
