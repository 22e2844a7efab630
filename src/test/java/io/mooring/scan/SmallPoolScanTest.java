package io.mooring.scan;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.memory.PinnedPool;
import io.mooring.memory.PoolStats;
import io.mooring.testing.RequiresGpu;
import io.mooring.testing.ScanResults;
import io.mooring.testing.Sessions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Sixteen tasks over a pool that cannot hold one batch of each. */
@Tag("forked-gpu")
@RequiresGpu
class SmallPoolScanTest {
  @TempDir Path folder;

  @Test
  @Timeout(value = 3, unit = TimeUnit.MINUTES)
  void aPoolOfEightMebibytesServesSixteenTasks() {
    SparkSession spark = Sessions.withPlugin(16, Map.of("spark.mooring.pinnedPool.size", "8m"));
    try {
      String path = folder.resolve("wide").toString();
      spark
          .range(0, 4_000_000, 1, 16)
          .selectExpr("id", "rand(7) as r", "cast(hash(id) as string) as s", "id % 1000 as k")
          .write()
          .parquet(path);
      String query = "select k, count(*), sum(id), max(r), min(s) from %s.`%s` group by k";
      Dataset<Row> ours = spark.sql(String.format(query, "mooring", path));
      ScanResults.assertSame(ours, spark.sql(String.format(query, "parquet", path)));
      assertThat(ScanResults.metric(ours, "gpuFiles")).isGreaterThanOrEqualTo(16);
      PoolStats stats = PinnedPool.stats();
      assertThat(stats.capacityBytes()).isEqualTo(8 << 20);
      assertThat(stats.fallbackCount()).isPositive();
      assertThat(stats.fallbackBytes()).isPositive();
      // An I/O thread gives its last piece back just after the task has seen it arrive.
      Awaitility.await()
          .atMost(Duration.ofSeconds(10))
          .untilAsserted(() -> assertThat(javaBytesInUse()).isZero());
    } finally {
      spark.stop();
    }
  }

  /** libcudf keeps a few small blocks for the life of the process. */
  private static long javaBytesInUse() {
    return PinnedPool.stats().bytesInUse() >> 20;
  }
}
