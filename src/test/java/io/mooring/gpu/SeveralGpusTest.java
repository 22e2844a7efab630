package io.mooring.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ai.rapids.cudf.Cuda;
import io.mooring.conf.GpuEntries;
import io.mooring.conf.PoolEntries;
import io.mooring.conf.SqlEntries;
import io.mooring.jni.PoolJni;
import io.mooring.memory.PinnedPool;
import io.mooring.memory.PoolStat;
import io.mooring.testing.LogCapture;
import io.mooring.testing.RequiresGpu;
import io.mooring.testing.ScanResults;
import io.mooring.testing.Sessions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.apache.logging.log4j.Level;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** One process with several GPUs. */
@Tag("forked-gpu")
@RequiresGpu(devices = 2)
@Timeout(300)
class SeveralGpusTest {
  private static final int TASKS = 8;
  private static final int SCANS = 10;
  // Libcudf keeps a few small blocks for the life of the process; a unit of the table takes more.
  private static final long SMALL_BYTES = 64 << 10;

  @TempDir static Path folder;

  private static SparkSession spark;
  private static FaultTables table;

  @BeforeAll
  static void start() {
    spark =
        Sessions.withPlugin(
            TASKS,
            Map.of(
                GpuEntries.DEVICES.key(),
                "all",
                PoolEntries.SIZE.key(),
                "256m",
                SqlEntries.PUSHDOWN.key(),
                "always",
                "spark.sql.files.maxPartitionBytes",
                "64k"));
    table = FaultTables.write(spark, folder);
    GpuRuntime gpu = GpuRuntime.current().orElseThrow();
    assertThat(gpu.usable()).as(gpu.reason()).isTrue();
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  private static Set<Integer> everyGpu() {
    return new TreeSet<>(IntStream.range(0, PoolJni.deviceCount()).boxed().toList());
  }

  /** Where libcudf's calls of each task went: asked on the task's own thread, behind its scan. */
  private static Set<Integer> gpusOfTasks(Dataset<Row> ours) {
    List<Integer> gpus =
        ours.toJavaRDD()
            .mapPartitions(
                rows -> {
                  rows.forEachRemaining(row -> {});
                  return List.of(Cuda.getDevice()).iterator();
                })
            .collect();
    return new TreeSet<>(gpus);
  }

  private static void assertNothingIsLeft() {
    Devices devices = GpuRuntime.current().orElseThrow().devices();
    await().until(devices::areIdle);
    await()
        .atMost(Duration.ofSeconds(20))
        .until(() -> PinnedPool.stats().bytesInUse() < SMALL_BYTES);
    assertThat(PinnedPool.stats().get(PoolStat.LEAKED_BLOCKS)).isZero();
  }

  @Test
  void theTasksOfOneScanAreOnEveryGpu() {
    assertThat(gpusOfTasks(table.ours(0))).isEqualTo(everyGpu());
    assertNothingIsLeft();
  }

  @Test
  void theValuesAreSparksHoweverThreadsChangeBetweenGpus() {
    try (LogCapture log = LogCapture.open()) {
      for (int i = 0; i < SCANS; i++) {
        ScanResults.assertReadByGpuAlone(table.scan(i % 3));
        assertThat(ScanResults.rows(totals("mooring")))
            .isEqualTo(ScanResults.rows(totals("parquet")));
      }
      assertThat(log.messages(Level.ERROR)).isEmpty();
      assertThat(log.messages(Level.WARN)).isEmpty();
    }
    assertNothingIsLeft();
  }

  private static Dataset<Row> totals(String format) {
    return spark.sql(
        "select id % 17, count(*), sum(id), min(s), max(r) from "
            + format
            + ".`"
            + folder.resolve("table")
            + "` where r > 0.25 group by id % 17");
  }

  @Test
  void everyGpuIsNamed() {
    String names = GpuRuntime.current().orElseThrow().deviceNames();
    everyGpu().forEach(gpu -> assertThat(names).contains("GPU " + gpu + " (GPU-"));
  }
}
