package io.mooring.spark;

import io.mooring.conf.ConfEntry;
import io.mooring.conf.MooringConf;
import io.mooring.scan.GpuExpectation;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.internal.SQLConf;

/** What a session has set about the relations that Mooring takes. */
record SwapSettings(boolean enabled, boolean parquet, boolean withoutGpu, GpuExpectation gpu) {

  /** As they are when a query is planned. */
  static SwapSettings of(SparkSession session) {
    return new SwapSettings(
        get(MooringConf.SQL_ENABLED),
        get(MooringConf.SQL_PARQUET_ENABLED),
        get(MooringConf.SQL_WITHOUT_GPU),
        new GpuExpectation(session));
  }

  private static <T> T get(ConfEntry<T> entry) {
    return entry.parse(SQLConf.get().getConfString(entry.key(), entry.defaultText()));
  }

  /** Whether relations of Spark's own format are taken. */
  boolean servesParquet() {
    return enabled && parquet && (withoutGpu || gpu.expected());
  }
}
