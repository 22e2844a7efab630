package io.mooring.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Kernels copy pinned memory only where every device has its host addresses. */
class KernelCopyThresholdTest {
  private static final long SET = 1 << 20;

  @Test
  void itIsTheUsersWhereEveryDeviceReadsRegisteredMemory() {
    assertThat(GpuStart.kernelCopyThreshold(List.of(0, 3), device -> true, SET)).isEqualTo(SET);
  }

  @Test
  void noKernelCopiesWhereOneDeviceDoesNot() {
    assertThat(GpuStart.kernelCopyThreshold(List.of(0), device -> false, SET)).isZero();
    assertThat(GpuStart.kernelCopyThreshold(List.of(0, 3), device -> device == 0, SET)).isZero();
  }
}
