package io.mooring.spark;

import io.mooring.conf.ConfEntry;
import io.mooring.conf.MooringConf;
import io.mooring.gpu.GpuRuntime;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.internal.SQLConf;

/** What a session has set about the relations that Mooring takes. */
record SwapSettings(boolean enabled, boolean parquet, boolean withoutGpu, boolean local) {

  /** As they are when a query is planned. */
  static SwapSettings of(SparkSession session) {
    return new SwapSettings(
        get(MooringConf.SQL_ENABLED),
        get(MooringConf.SQL_PARQUET_ENABLED),
        get(MooringConf.SQL_WITHOUT_GPU),
        session.sparkContext().isLocal());
  }

  private static <T> T get(ConfEntry<T> entry) {
    return entry.parse(SQLConf.get().getConfString(entry.key(), entry.defaultText()));
  }

  /**
   * Whether relations of Spark's own format are taken. Where the driver is the only executor it
   * knows that there is no GPU; elsewhere each executor finds out for itself.
   */
  boolean servesParquet() {
    return enabled && parquet && (withoutGpu || !local || gpuIsThere());
  }

  private static boolean gpuIsThere() {
    return GpuRuntime.current().map(GpuRuntime::usable).orElse(false);
  }
}
