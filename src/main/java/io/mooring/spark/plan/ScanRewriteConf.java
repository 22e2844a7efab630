package io.mooring.spark.plan;

import io.mooring.conf.SqlEntries;
import io.mooring.datasource.MooringDataSource;
import io.mooring.scan.delta.DeltaFormat;
import io.mooring.scan.iceberg.IcebergFormat;
import io.mooring.session.GpuAvailability;
import io.mooring.session.SessionConf;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.datasources.FileFormat;
import org.apache.spark.sql.execution.datasources.parquet.ParquetFileFormat;

/** A session's settings on the relations that Mooring reads. Immutable. */
public record ScanRewriteConf(
    boolean enabled,
    boolean mergesSubqueries,
    boolean parquet,
    boolean delta,
    boolean iceberg,
    boolean withoutGpu,
    GpuAvailability gpu) {

  /** The settings at the time when a query is planned. */
  public static ScanRewriteConf of(SparkSession session) {
    return new ScanRewriteConf(
        SessionConf.get(session, SqlEntries.ENABLED),
        SessionConf.get(session, SqlEntries.MERGE_SUBQUERIES),
        SessionConf.get(session, SqlEntries.PARQUET_ENABLED),
        SessionConf.get(session, SqlEntries.DELTA_ENABLED),
        SessionConf.get(session, SqlEntries.ICEBERG_ENABLED),
        SessionConf.get(session, SqlEntries.WITHOUT_GPU),
        new GpuAvailability(session));
  }

  /** Whether the names of Parquet scans by other readers tell why Mooring does not read them. */
  boolean explain() {
    return enabled && parquet;
  }

  /** Whether Mooring takes scans that Iceberg has planned. */
  boolean takesIceberg() {
    return enabled && parquet && iceberg;
  }

  /** Whether Mooring takes scans of Delta tables. */
  public boolean takesDelta() {
    return enabled && parquet && delta && (withoutGpu || gpu.problem().isEmpty());
  }

  /** Whether the session's settings let Mooring read a relation. */
  boolean concern(ScanPattern pattern) {
    if (!enabled || pattern.relation().isStreaming()) {
      return false;
    }
    FileFormat format = pattern.files().fileFormat();
    // Other formats derived from Parquet read more than the files.
    return isMoorings(pattern)
        || (parquet && format.getClass() == ParquetFileFormat.class)
        || (parquet && delta && DeltaFormat.is(format))
        || (takesIceberg() && IcebergFormat.is(format));
  }

  /** The reason for which Spark reads such a relation; empty for none. */
  String problem(ScanPattern pattern) {
    if (ScriptInput.includes(pattern.relation())) {
      return ScriptInput.REASON;
    }
    return isMoorings(pattern) || withoutGpu ? "" : gpu.problem();
  }

  /** Whether Mooring reads a relation, unless its eligibility says otherwise. */
  public boolean take(ScanPattern pattern) {
    return concern(pattern) && problem(pattern).isEmpty();
  }

  private static boolean isMoorings(ScanPattern pattern) {
    return pattern.files().fileFormat().getClass() == MooringDataSource.class;
  }
}
