package io.mooring.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.conf.PoolEntries;
import io.mooring.conf.SqlEntries;
import io.mooring.memory.PinnedPool;
import io.mooring.session.GpuAvailability;
import io.mooring.testing.LogCapture;
import io.mooring.testing.ScanResults;
import io.mooring.testing.Sessions;
import java.nio.file.Path;
import java.util.Map;
import org.apache.logging.log4j.Level;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A GPU that is lost between its start and the first scan; needs none, because none is touched. */
@Tag("extended")
@Tag("forked")
class LostGpuTest {
  private static final Map<String, String> SETTINGS =
      Map.of(PoolEntries.SIZE.key(), "64m", SqlEntries.PUSHDOWN.key(), "always");

  @TempDir Path folder;

  @Test
  void scansInFlightAndLaterOnesGoToSparkWithOneError() {
    try (LogCapture log = LogCapture.open()) {
      GpuRuntime gpu = LostDevice.start(SETTINGS);
      SparkSession spark = Sessions.withPlugin(4, SETTINGS);
      try {
        assertThat(new GpuAvailability(spark).expected()).as("at first").isTrue();
        assertScansAreSparks(spark);
        assertThat(new GpuAvailability(spark).expected()).as("after the loss").isFalse();
      } finally {
        spark.stop();
      }
      assertThat(gpu.reason()).startsWith("the GPU was lost: cudaErrorLaunchFailure");
      assertThat(gpu.devices().areIdle()).isTrue();
      assertThat(PinnedPool.stats().bytesInUse()).isZero();
      assertThat(log.messages(Level.ERROR))
          .singleElement()
          .asString()
          .contains("Mooring lost GPU 0: cudaErrorLaunchFailure", "restart the executor");
      assertThat(log.events(Level.ERROR).get(0).getThrown())
          .hasMessageStartingWith("cudaErrorLaunchFailure");
      assertThat(log.messages(Level.WARN)).isEmpty();
    }
  }

  private void assertScansAreSparks(SparkSession spark) {
    FaultTables table = FaultTables.write(spark, folder);
    for (int third = 0; third < 2; third++) {
      Dataset<Row> ours = table.scan(third);
      assertThat(ScanResults.metric(ours, "gpuFiles")).isZero();
      assertThat(ScanResults.metric(ours, "cpuFiles")).isEqualTo(FaultTables.FILES);
    }
  }
}
