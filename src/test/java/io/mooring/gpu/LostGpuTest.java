package io.mooring.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.conf.ExecutorMemory;
import io.mooring.conf.ExecutorMemory.SparkShare;
import io.mooring.conf.MooringConf;
import io.mooring.conf.PoolEntries;
import io.mooring.conf.SqlEntries;
import io.mooring.jni.FaultJni;
import io.mooring.jni.FaultJni.Point;
import io.mooring.jni.NativeLibrary;
import io.mooring.jni.TransferJni;
import io.mooring.memory.PinnedPool;
import io.mooring.session.GpuAvailability;
import io.mooring.testing.LogCapture;
import io.mooring.testing.ScanResults;
import io.mooring.testing.Sessions;
import java.nio.file.Path;
import java.util.List;
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
  private static final int NO_DEVICE = -1;
  private static final int LAUNCH_FAILURE = 719;
  private static final Map<String, String> SETTINGS =
      Map.of(PoolEntries.SIZE.key(), "64m", SqlEntries.PUSHDOWN.key(), "always");

  @TempDir Path folder;

  @Test
  void scansInFlightAndLaterOnesGoToSparkWithOneError() {
    assertThat(NativeLibrary.load()).as(NativeLibrary.problem()).isTrue();
    FaultJni.failFrom(Point.SET_DEVICE, 1, LAUNCH_FAILURE);
    try (LogCapture log = LogCapture.open()) {
      GpuRuntime gpu = GpuRuntime.start(MooringConf.from(SETTINGS), LostGpuTest::startWithoutGpu);
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

  /** All but the device. */
  private static GpuStart.Result startWithoutGpu() {
    PoolStart pool =
        new PoolStart(MooringConf.from(SETTINGS), ExecutorMemory.ofThisProcess(SparkShare.NONE, 1));
    pool.start(List.of(NO_DEVICE));
    StartedDevice device = new StartedDevice(0, "GPU 0", 1L << 30, TransferJni.PER_THREAD_STREAM);
    return new GpuStart.Result(List.of(device), pool);
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
