package io.mooring.session;

import static org.assertj.core.api.Assertions.assertThat;

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
}
