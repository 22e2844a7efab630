package io.mooring.spark;

import io.mooring.conf.ConfEntry;
import io.mooring.conf.SqlEntries;
import io.mooring.scan.GpuExpectation;
import io.mooring.scan.MooringDataSource;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.datasources.FileFormat;
import org.apache.spark.sql.execution.datasources.parquet.ParquetFileFormat;
import org.apache.spark.sql.internal.SQLConf;

/** What a session has set about the relations that Mooring takes. */
record SwapSettings(
    boolean enabled,
    boolean mergesSubqueries,
    boolean parquet,
    boolean withoutGpu,
    GpuExpectation gpu) {

  /** As they are when a query is planned. */
  static SwapSettings of(SparkSession session) {
    return new SwapSettings(
        get(SqlEntries.ENABLED),
        get(SqlEntries.MERGE_SUBQUERIES),
        get(SqlEntries.PARQUET_ENABLED),
        get(SqlEntries.WITHOUT_GPU),
        new GpuExpectation(session));
  }

  private static <T> T get(ConfEntry<T> entry) {
    return entry.parse(SQLConf.get().getConfString(entry.key(), entry.defaultText()));
  }

  /** Whether a relation is one that Mooring reads where nothing else stands against it. */
  boolean take(RelationChain chain) {
    FileFormat format = chain.files().fileFormat();
    if (!enabled || chain.relation().isStreaming()) {
      return false;
    }
    // Formats derived from Parquet, of table formats for example, read more than the files.
    return format.getClass() == MooringDataSource.class
        || (format.getClass() == ParquetFileFormat.class && takeParquet());
  }

  private boolean takeParquet() {
    return parquet && (withoutGpu || gpu.expected());
  }
}
