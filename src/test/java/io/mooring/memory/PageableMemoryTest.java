package io.mooring.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A process in which no pool was started. */
@Tag("forked")
class PageableMemoryTest {
  @Test
  void buffersArePageableAndCountedAsFallbacksOfNoPool() {
    PoolStats before = PinnedPool.stats();
    try (HostBuffer buffer = HostMemory.allocate(1000)) {
      assertThat(buffer.isPinned()).isFalse();
      assertThat(buffer.length()).isEqualTo(1000);
      assertThat(buffer.address()).isNotZero();
    }
    PoolStats after = PinnedPool.stats();
    assertThat(after.state()).isEqualTo(PoolState.OFF);
    assertThat(after.fallbackCount(FallbackCause.OFF)).isEqualTo(before.fallbackCount() + 1);
    assertThat(after.fallbackBytes(FallbackCause.OFF)).isEqualTo(before.fallbackBytes() + 1000);
  }

  @Test
  void nothingIsPinned() {
    assertThat(HostMemory.tryAllocatePinned(1)).isNull();
  }

  @Test
  void anEmptyBufferIsABufferToo() {
    try (HostBuffer buffer = HostMemory.allocate(0)) {
      assertThat(buffer.length()).isZero();
    }
  }

  @Test
  void aNegativeSizeIsRefused() {
    assertThatThrownBy(() -> HostMemory.allocate(-5))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("A host buffer cannot have -5 bytes");
  }

  @Test
  void copiesStayWithinTheArray() {
    try (HostBuffer buffer = HostMemory.allocate(8)) {
      HostMemory.copyIn(new byte[8], 8, buffer.address());
      assertThatThrownBy(() -> HostMemory.copyIn(new byte[8], 9, buffer.address()))
          .isInstanceOf(IndexOutOfBoundsException.class)
          .hasMessage("Cannot copy 9 of 8 bytes");
    }
  }
}
