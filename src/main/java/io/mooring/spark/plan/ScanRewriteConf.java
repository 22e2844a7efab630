package io.mooring.spark.plan;

import io.mooring.conf.SqlEntries;
import io.mooring.scan.GpuExpectation;
import io.mooring.scan.MooringDataSource;
import io.mooring.scan.SessionConf;
import io.mooring.scan.delta.DeltaFormat;
import io.mooring.scan.iceberg.IcebergFormat;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.datasources.FileFormat;
import org.apache.spark.sql.execution.datasources.parquet.ParquetFileFormat;

/** What a session has set about the relations that Mooring takes. */
public record ScanRewriteConf(
    boolean enabled,
    boolean mergesSubqueries,
    boolean parquet,
    boolean delta,
    boolean iceberg,
    boolean withoutGpu,
    GpuExpectation gpu) {

  /** As they are when a query is planned. */
  public static ScanRewriteConf of(SparkSession session) {
    return new ScanRewriteConf(
        SessionConf.get(session, SqlEntries.ENABLED),
        SessionConf.get(session, SqlEntries.MERGE_SUBQUERIES),
        SessionConf.get(session, SqlEntries.PARQUET_ENABLED),
        SessionConf.get(session, SqlEntries.DELTA_ENABLED),
        SessionConf.get(session, SqlEntries.ICEBERG_ENABLED),
        SessionConf.get(session, SqlEntries.WITHOUT_GPU),
        new GpuExpectation(session));
  }

  /** Whether scans of Parquet that are not Mooring's tell why. */
  boolean explain() {
    return enabled && parquet;
  }

  /** Whether scans that Iceberg has planned are looked at. */
  boolean takesIceberg() {
    return enabled && parquet && iceberg;
  }

  /** Whether the session wants Mooring to look at a relation. */
  boolean concern(ScanPattern chain) {
    if (!enabled || chain.relation().isStreaming()) {
      return false;
    }
    FileFormat format = chain.files().fileFormat();
    // Other formats derived from Parquet read more than the files.
    return isMoorings(chain)
        || (parquet && format.getClass() == ParquetFileFormat.class)
        || (parquet && delta && DeltaFormat.is(format))
        || (takesIceberg() && IcebergFormat.is(format));
  }

  /** Why a relation of those is left to Spark; empty where nothing is known against it. */
  String problem(ScanPattern chain) {
    return isMoorings(chain) || withoutGpu ? "" : gpu.problem();
  }

  /** Whether a relation is one that Mooring reads where nothing else stands against it. */
  public boolean take(ScanPattern chain) {
    return concern(chain) && problem(chain).isEmpty();
  }

  private static boolean isMoorings(ScanPattern chain) {
    return chain.files().fileFormat().getClass() == MooringDataSource.class;
  }
}
