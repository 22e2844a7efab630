package io.mooring.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ai.rapids.cudf.Cuda;
import ai.rapids.cudf.Rmm;
import io.mooring.gpu.GpuRuntime;
import io.mooring.memory.PinnedPool;
import io.mooring.memory.PoolStat;
import io.mooring.memory.PoolStats;
import io.mooring.stage.Stages;
import io.mooring.stage.replicated.ReplicatedTables;
import io.mooring.testing.Interpreted;
import io.mooring.testing.RequiresGpu;
import io.mooring.testing.ScanResults;
import io.mooring.testing.Sessions;
import io.mooring.testing.WithAndWithout;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Sixty-four tasks at once over two GiB of device memory. */
@Tag("forked-gpu")
@Tag("extended")
@RequiresGpu
class SmallDeviceScanTest {
  private static final long DEVICE_BYTES = 2L << 30;
  private static final int TASKS = 64;
  private static final Map<String, String> TRANSPARENT =
      Map.of(
          "spark.mooring.sql.parquet.enabled", "true",
          "spark.mooring.sql.stages", "always",
          "spark.mooring.sql.replicatedJoins", "always",
          "spark.sql.autoBroadcastJoinThreshold", "-1");

  @TempDir Path folder;

  @Test
  @Timeout(300)
  void tasksShareWhatThereIsAndStayWithinIt() {
    double fraction = (double) DEVICE_BYTES / Cuda.memGetInfo().total;
    SparkSession spark =
        Sessions.withPlugin(
            TASKS,
            Interpreted.compiledAnd(
                Map.of(
                    "spark.mooring.pinnedPool.size",
                    "256m",
                    "spark.mooring.gpu.memory.fraction",
                    String.valueOf(fraction))));
    try {
      String path = folder.resolve("wide").toString();
      spark
          .range(0, 16_000_000, 1, TASKS)
          .selectExpr("id", "rand(7) as r", "cast(hash(id) as string) as s", "id % 1000 as k")
          .write()
          .parquet(path);
      for (String query :
          new String[] {
            "select k, count(*), sum(id), max(r), min(s) from %s.`%s` group by k",
            "select max(length(s)), max(r), sum(hash(id, k)) from %s.`%s` where k <> 3"
          }) {
        Dataset<Row> ours = spark.sql(query.formatted("mooring", path));
        ScanResults.assertSame(ours, spark.sql(query.formatted("parquet", path)));
        assertThat(ScanResults.metric(ours, "gpuFiles")).isGreaterThanOrEqualTo(TASKS);
      }
      Sessions.with(spark, TRANSPARENT, () -> assertJoinsOnGpu(spark, path));
      assertWithinSettings();
    } finally {
      spark.stop();
    }
  }

  /** All tasks look their rows up in one table of half a million, which one of them builds. */
  private void assertJoinsOnGpu(SparkSession spark, String path) {
    String build = folder.resolve("build").toString();
    spark
        .range(0, 16_000_000, 32, 4)
        .selectExpr("id j", "concat('name ', id % 1000) name")
        .write()
        .parquet(build);
    Dataset<Row> ours =
        WithAndWithout.run(
                spark,
                String.format(
                    "select k, count(*), sum(id), max(r), min(name) from parquet.`%s` join parquet.`%s`"
                        + " on id = j where k <> 3 group by k",
                    path, build))
            .ours();
    assertThat(ReplicatedTables.replicated(ours)).hasSize(1);
    Stages.assertOnGpuAlone(ours);
    assertThat(Stages.metric(ours, "gpuFiles")).isGreaterThanOrEqualTo(TASKS);
  }

  private static void assertWithinSettings() {
    assertThat(Rmm.getMaximumTotalBytesAllocated()).isPositive().isLessThan(DEVICE_BYTES);
    PoolStats stats = PinnedPool.stats();
    assertThat(stats.get(PoolStat.HIGH_WATER_MARK)).isPositive().isLessThanOrEqualTo(256L << 20);
    assertThat(stats.get(PoolStat.FALLBACK_BYTES_HELD))
        .isLessThanOrEqualTo(stats.get(PoolStat.FALLBACK_LIMIT));
    GpuRuntime gpu = GpuRuntime.current().orElseThrow();
    await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(
            () -> {
              assertThat(PinnedPool.stats().bytesInUse() >> 20).isZero();
              assertThat(gpu.devices().areIdle()).isTrue();
            });
  }
}
