package io.mooring.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.conf.MooringConf;
import io.mooring.jni.FaultJni;
import io.mooring.jni.FaultJni.Point;
import io.mooring.jni.NativeLibrary;
import io.mooring.jni.TransferJni;
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

/** A device that refuses to come up. */
@Tag("extended")
@Tag("forked")
class FailedStartTest {
  private static final int DEVICES_UNAVAILABLE = 46;

  @TempDir Path folder;

  @Test
  void theExecutorReadsWithSparksReaderAndOneErrorSaysWhy() {
    assertThat(NativeLibrary.load()).as(NativeLibrary.problem()).isTrue();
    FaultJni.failNth(Point.SET_DEVICE, 1, DEVICES_UNAVAILABLE);
    try (LogCapture log = LogCapture.open()) {
      GpuRuntime gpu = GpuRuntime.start(MooringConf.from(Map.of()), FailedStartTest::start);
      assertThat(gpu.usable()).isFalse();
      assertThat(gpu.reason()).contains("could not be started", "cudaErrorDevicesUnavailable");
      assertAScanIsSparks();
      assertThat(log.messages(Level.ERROR))
          .singleElement()
          .asString()
          .contains("could not start the GPU", "restart the executor");
      assertThat(log.messages(Level.WARN)).isEmpty();
    }
  }

  private static GpuStart.Result start() {
    TransferJni.setDevice(0);
    throw new AssertionError("The device came up");
  }

  private void assertAScanIsSparks() {
    SparkSession spark = Sessions.withPlugin(2, Map.of());
    try {
      Dataset<Row> ours = FaultTables.write(spark, folder).scan(1);
      assertThat(ScanResults.metric(ours, "gpuFiles")).isZero();
      assertThat(ScanResults.metric(ours, "cpuFiles")).isEqualTo(FaultTables.FILES);
    } finally {
      spark.stop();
    }
  }
}
