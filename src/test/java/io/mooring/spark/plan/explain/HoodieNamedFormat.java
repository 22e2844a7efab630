package io.mooring.spark.plan.explain;

import org.apache.spark.sql.execution.datasources.parquet.ParquetFileFormat;

/** Parquet in a format that is named as Hudi's are, for tests without that library. */
public final class HoodieNamedFormat extends ParquetFileFormat {}
