package io.mooring.scan;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ReportedGpusTest {
  @AfterEach
  void forget() {
    ReportedGpus.clear();
  }

  @Test
  void gpusAreExpectedUntilNobodyUsesOneAndCertainWhenAllDo() {
    ReportedGpus.clear();
    assertThat(ReportedGpus.problem()).isEmpty();
    assertThat(ReportedGpus.allUse()).isFalse();
    ReportedGpus.add("1", "");
    assertThat(ReportedGpus.allUse()).isTrue();
    ReportedGpus.add("2", "no device");
    assertThat(ReportedGpus.problem()).isEmpty();
    assertThat(ReportedGpus.allUse()).isFalse();
    ReportedGpus.add("1", "lost");
    assertThat(ReportedGpus.problem()).isNotEmpty();
  }
}
