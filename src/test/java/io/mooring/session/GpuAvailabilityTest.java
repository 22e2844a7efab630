package io.mooring.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mooring.testing.Sessions;
import java.util.Map;
import org.apache.spark.scheduler.SparkListenerExecutorRemoved;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class GpuAvailabilityTest {
  @AfterEach
  void forget() {
    GpuAvailability.clearReports();
  }

  @Test
  void gpusAreExpectedUntilNobodyUsesOneAndCertainWhenAllDo() {
    GpuAvailability.clearReports();
    assertThat(GpuAvailability.reportedProblem()).isEmpty();
    assertThat(GpuAvailability.allReportedUse()).isFalse();
    GpuAvailability.report("1", "", 80);
    assertThat(GpuAvailability.allReportedUse()).isTrue();
    GpuAvailability.report("2", "no device", 0);
    assertThat(GpuAvailability.reportedProblem()).isEmpty();
    assertThat(GpuAvailability.allReportedUse()).isFalse();
    GpuAvailability.report("1", "lost", 80);
    assertThat(GpuAvailability.reportedProblem()).isNotEmpty();
  }

  @Test
  void memoryIsThatOfTheSmallestGpuAndUnknownWhereAnExecutorHasNone() {
    GpuAvailability.clearReports();
    assertThat(GpuAvailability.leastReportedBytes()).isZero();
    GpuAvailability.report("1", "", 80);
    GpuAvailability.report("2", "", 24);
    assertThat(GpuAvailability.leastReportedBytes()).isEqualTo(24);
    GpuAvailability.report("3", "no device", 0);
    assertThat(GpuAvailability.leastReportedBytes()).isZero();
  }

  @Test
  void anApplicationForgetsExecutorsThatAreGone() {
    SparkSession spark = Sessions.withPlugin(1, Map.of("spark.mooring.pinnedPool.size", "64m"));
    try {
      GpuAvailability.report("1", "", 80);
      GpuAvailability.report("2", "no device", 0);
      spark.sparkContext().listenerBus().post(new SparkListenerExecutorRemoved(0, "2", "lost"));
      await().until(() -> !GpuAvailability.hasReported("2"));
      assertThat(GpuAvailability.hasReported("1")).isTrue();
    } finally {
      spark.stop();
    }
  }

  @Test
  void executorsThatAreGoneDoNotCountUnlessNoneIsLeft() {
    GpuAvailability.clearReports();
    GpuAvailability.report("1", "", 80);
    GpuAvailability.report("2", "no device", 0);
    GpuAvailability.forget("2");
    assertThat(GpuAvailability.allReportedUse()).isTrue();
    assertThat(GpuAvailability.leastReportedBytes()).isEqualTo(80);
    GpuAvailability.forget("1");
    assertThat(GpuAvailability.allReportedUse()).isTrue();
  }
}
