package io.mooring.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A system that gives no address space for the pool, as under vm.overcommit_memory=2. */
@Tag("forked")
class NoAddressSpaceTest {
  private static final long MORE_THAN_A_PROCESS_HAS = (1L << 47) - (2L << 20);

  @Test
  void thePoolIsEmptyAndBuffersArePageable() {
    Duration wait = Duration.ofSeconds(1);
    long size = MORE_THAN_A_PROCESS_HAS;
    assertThat(
            PinnedPool.start(new PoolSettings(size, size, 8 << 20, wait, 1, -1, List.of(), false)))
        .isTrue();
    assertThat(PinnedPool.awaitStarted(Duration.ofSeconds(30))).isTrue();
    assertThat(PinnedPool.stats().capacityBytes()).isZero();
    assertThat(PinnedPool.refusal()).isNotEmpty();
    try (HostBuffer buffer = HostMemory.allocate(1 << 20)) {
      assertThat(buffer.isPinned()).isFalse();
    }
    assertThat(PinnedPool.stats().fallbackCount(FallbackCause.REFUSED)).isEqualTo(1);
  }
}
