package io.mooring.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mooring.conf.GpuEntries;
import io.mooring.conf.PoolEntries;
import io.mooring.conf.ScanEntries;
import io.mooring.conf.SqlEntries;
import io.mooring.gpu.InjectedFault.PassingFault;
import io.mooring.jni.FaultJni;
import io.mooring.memory.PinnedPool;
import io.mooring.testing.LogCapture;
import io.mooring.testing.RequiresGpu;
import io.mooring.testing.ScanResults;
import io.mooring.testing.Sessions;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** One call fails: its part is read over, and the GPU goes on with the others. */
@Tag("forked-gpu")
@RequiresGpu
class PassingFaultsTest {
  // Libcudf keeps a few small blocks for the life of the process; a unit of the table takes more.
  private static final long SMALL_BYTES = 64 << 10;

  @TempDir static Path folder;

  private static SparkSession spark;
  private static FaultTables table;

  @BeforeAll
  static void start() {
    spark =
        Sessions.withPlugin(
            4,
            Map.of(
                GpuEntries.DEVICES.key(),
                "first",
                PoolEntries.SIZE.key(),
                "64m",
                // A fault meets one file, whichever tasks read it.
                ScanEntries.COALESCE_SIZE.key(),
                "0",
                SqlEntries.PUSHDOWN.key(),
                "never"));
    table = FaultTables.write(spark, folder);
    ScanResults.assertReadByGpuAlone(table.scan(0));
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  @AfterEach
  void clear() {
    FaultJni.clear();
  }

  @ParameterizedTest
  @EnumSource
  void thePartIsReadOverAndTheGpuGoesOn(PassingFault passing) {
    InjectedFault fault = passing.fault;
    List<String> expected = table.expected(1);
    Dataset<Row> ours = table.ours(1);
    try (LogCapture log = LogCapture.open()) {
      FaultJni.failNth(fault.point(), fault.nth(), fault.error());
      assertThat(ScanResults.rows(ours)).isEqualTo(expected);
      assertThat(log.messages(Level.ERROR)).isEmpty();
      assertThat(log.messages(Level.WARN)).hasSize(1);
      assertThat(log.events(Level.WARN))
          .extracting(LogEvent::getThrown)
          .singleElement()
          .extracting(Throwable::getMessage)
          .asString()
          .startsWith(fault.words());
    }
    assertThat(ScanResults.metric(ours, "cpuFiles")).isEqualTo(passing.leftToSpark());
    assertThat(ScanResults.metric(ours, "gpuFiles"))
        .isEqualTo(FaultTables.FILES - passing.leftToSpark());
    assertNothingIsLeftBehind();
    ScanResults.assertReadByGpuAlone(table.scan(2));
  }

  private static void assertNothingIsLeftBehind() {
    GpuRuntime gpu = GpuRuntime.current().orElseThrow();
    assertThat(gpu.usable()).as(gpu.reason()).isTrue();
    await().until(() -> gpu.devices().areIdle());
    await().until(() -> PinnedPool.stats().bytesInUse() < SMALL_BYTES);
  }
}
