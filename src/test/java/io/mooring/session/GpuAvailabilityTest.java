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
    GpuAvailability.report("1", "");
    assertThat(GpuAvailability.allReportedUse()).isTrue();
    GpuAvailability.report("2", "no device");
    assertThat(GpuAvailability.reportedProblem()).isEmpty();
    assertThat(GpuAvailability.allReportedUse()).isFalse();
    GpuAvailability.report("1", "lost");
    assertThat(GpuAvailability.reportedProblem()).isNotEmpty();
  }
}
