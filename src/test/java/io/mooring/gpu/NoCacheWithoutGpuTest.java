package io.mooring.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.cache.CacheStats;
import io.mooring.cache.ChunkCache;
import io.mooring.conf.MooringConf;
import io.mooring.testing.ScanResults;
import io.mooring.testing.Sessions;
import java.nio.file.Path;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process that has no GPU caches nothing, whatever its settings say. */
@Tag("extended")
@Tag("forked")
class NoCacheWithoutGpuTest {
  private static final Map<String, String> SETTINGS =
      Map.of("spark.mooring.cache.size", "48m", "spark.mooring.pinnedPool.size", "64m");

  @TempDir Path folder;

  @Test
  void theCacheOfTheProcessStaysOff() {
    GpuRuntime gpu =
        GpuRuntime.start(
            MooringConf.from(SETTINGS),
            () -> {
              throw new UnusableGpuException("there is no usable GPU (none was asked for)", true);
            });
    assertThat(gpu.usable()).isFalse();
    SparkSession spark = Sessions.withPlugin(2, SETTINGS);
    try {
      FaultTables table = FaultTables.write(spark, folder);
      for (int third = 0; third < 3; third++) {
        Dataset<Row> ours = table.scan(third);
        assertThat(ScanResults.metric(ours, "cpuFiles")).isEqualTo(FaultTables.FILES);
        assertThat(ScanResults.metric(ours, "cachedBytes")).isZero();
      }
    } finally {
      spark.stop();
    }
    assertThat(ChunkCache.shared()).isSameAs(ChunkCache.OFF);
    assertThat(ChunkCache.shared().isOn()).isFalse();
    assertThat(ChunkCache.shared().stats()).isEqualTo(CacheStats.NONE);
  }
}
