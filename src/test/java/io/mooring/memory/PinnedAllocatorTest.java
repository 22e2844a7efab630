package io.mooring.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A process whose buffers come from another allocator, which has room for two. */
@Tag("forked")
class PinnedAllocatorTest {
  private static final long MIB = 1 << 20;
  private static final List<Long> OPEN = new ArrayList<>();

  @BeforeAll
  static void startPool() {
    PinnedPool.replaceBy(
        new PinnedAllocator() {
          @Override
          public void start(long bytes, int device) {}

          @Override
          public long allocate(long bytes) {
            if (OPEN.size() == 2) {
              return 0;
            }
            OPEN.add(PageableMemory.allocate(bytes));
            return OPEN.get(OPEN.size() - 1);
          }

          @Override
          public void free(long address) {
            assertThat(OPEN.remove(address)).isTrue();
            PageableMemory.free(address);
          }
        });
    PinnedPool.start(
        new PoolSettings(
            64 * MIB, 96 * MIB, 8 * MIB, Duration.ofMillis(10), 1, -1, List.of(), false));
  }

  @Test
  void buffersComeFromItAndPageableOnesStandInWhenItIsFull() {
    try (HostBuffer first = HostMemory.allocate(3 * MIB);
        HostBuffer second = HostMemory.tryAllocatePinned(5)) {
      assertThat(List.of(first.address(), second.address())).isEqualTo(OPEN);
      assertThat(first.isPinned()).isTrue();
      assertThat(HostMemory.tryAllocatePinned(5)).isNull();
      try (HostBuffer third = HostMemory.allocate(MIB)) {
        assertThat(third.isPinned()).isFalse();
        assertThat(PinnedPool.stats().fallbackCount(FallbackCause.EXHAUSTED)).isEqualTo(1);
      }
    }
    assertThat(OPEN).isEmpty();
  }

  @Test
  void thePoolTellsItsSizeAndHasNoMemory() {
    assertThat(PinnedPool.mostBytes()).isEqualTo(96 * MIB);
    assertThat(PinnedPool.stats().get(PoolStat.TARGET_BYTES)).isZero();
    assertThat(PinnedPool.awaitStarted(Duration.ofSeconds(30))).isTrue();
  }

  @Test
  void aPoolThatRunsIsNotReplaced() {
    assertThatThrownBy(() -> PinnedPool.replaceBy(PinnedPool.replacement()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("The pool has been started");
  }
}
