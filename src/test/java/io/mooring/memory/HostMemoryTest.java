package io.mooring.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mooring.jni.FileJni;
import io.mooring.jni.PoolJni;
import io.mooring.testing.LogCapture;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.logging.log4j.Level;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The pool in a process of its own, over memory that no driver has pinned. */
@Tag("forked")
class HostMemoryTest {
  private static final long MIB = 1 << 20;

  @BeforeAll
  static void startPool() {
    PoolSettings settings =
        new PoolSettings(
            16 * MIB,
            16 * MIB,
            8 * MIB,
            Duration.ofMillis(200),
            2,
            -1,
            List.of(), /* leaks */
            true);
    assertThat(PinnedPool.start(settings)).isTrue();
    assertThat(PinnedPool.start(settings)).as("a second start").isFalse();
    assertThat(PinnedPool.awaitStarted(Duration.ofSeconds(30))).isTrue();
  }

  @Test
  void buffersComeFromThePoolAndGoBack() {
    long before = PinnedPool.stats().bytesInUse();
    try (HostBuffer buffer = HostMemory.allocate(3 * MIB)) {
      assertThat(buffer.isPinned()).isTrue();
      assertThat(buffer.length()).isEqualTo(3 * MIB);
      assertThat(PinnedPool.stats().bytesInUse()).isEqualTo(before + 3 * MIB);
    }
    assertThat(PinnedPool.stats().bytesInUse()).isEqualTo(before);
  }

  @Test
  void trafficIsCountedAndAFreedSmallBlockIsKeptByItsThread() {
    PoolStats before = PinnedPool.stats();
    HostBuffer first = HostMemory.allocate(1000);
    try (HostBuffer second = HostMemory.allocate(1024)) {
      assertThat(second.length()).isEqualTo(1024);
    }
    PoolStats after = PinnedPool.stats();
    assertThat(after.get(PoolStat.ALLOCATIONS)).isEqualTo(before.get(PoolStat.ALLOCATIONS) + 2);
    assertThat(after.get(PoolStat.FREES)).isEqualTo(before.get(PoolStat.FREES) + 1);
    assertThat(after.bytesInUse()).isEqualTo(before.bytesInUse() + 1024);
    assertThat(after.get(PoolStat.REQUESTED_BYTES))
        .isEqualTo(before.get(PoolStat.REQUESTED_BYTES) + 1000 + 1024);
    first.close();
    assertThat(PinnedPool.stats().get(PoolStat.CACHED_BYTES)).isPositive();
  }

  @Test
  void fallsBackToPageableMemoryWhenThePoolIsExhausted() {
    long before = PinnedPool.stats().fallbackCount(FallbackCause.EXHAUSTED);
    List<HostBuffer> held = new ArrayList<>();
    try {
      while (held.isEmpty() || held.get(held.size() - 1).isPinned()) {
        held.add(HostMemory.allocate(4 * MIB));
      }
      assertThat(held).hasSizeBetween(4, 5);
      assertThat(PinnedPool.stats().fallbackCount(FallbackCause.EXHAUSTED)).isEqualTo(before + 1);
      assertThat(PinnedPool.stats().fallbackBytes()).isGreaterThanOrEqualTo(4 * MIB);
    } finally {
      held.forEach(HostBuffer::close);
    }
  }

  @Test
  void idlePageableMemoryGoesBackToTheSystem() {
    List<HostBuffer> held = new ArrayList<>();
    while (held.isEmpty() || held.get(held.size() - 1).isPinned()) {
      held.add(HostMemory.allocate(4 * MIB));
    }
    held.forEach(HostBuffer::close);
    assertThat(PinnedPool.stats().get(PoolStat.FALLBACK_BYTES_HELD)).isPositive();
    PoolJni.trim();
    PoolJni.trim();
    assertThat(PinnedPool.stats().get(PoolStat.FALLBACK_BYTES_HELD)).isZero();
    assertThat(Thread.getAllStackTraces().keySet())
        .as("a timer does the same")
        .anyMatch(thread -> thread.getName().equals("mooring-pool-trim") && thread.isDaemon());
  }

  @Test
  void waitsForPageableMemoryAndThenNamesTheSettings() {
    List<HostBuffer> held = new ArrayList<>();
    try {
      assertThatThrownBy(
              () -> {
                for (int i = 0; i < 8; i++) {
                  held.add(HostMemory.allocate(4 * MIB));
                }
              })
          .isInstanceOf(HostMemoryExhaustedException.class)
          .hasMessageContaining("spark.mooring.pinnedPool.size")
          .hasMessageContaining("spark.mooring.pinnedPool.fallback.maxSize");
      assertThat(PinnedPool.stats().get(PoolStat.TIMEOUTS)).isPositive();
    } finally {
      held.forEach(HostBuffer::close);
    }
  }

  @Test
  void whatExceedsEveryLimitIsRefusedAtOnceAndSaysSo() {
    assertThatThrownBy(() -> HostMemory.allocate(20 * MIB))
        .isInstanceOf(HostMemoryExhaustedException.class)
        .hasMessageContaining("is larger than the pool and its fallback")
        .hasMessageContaining("limited to 8,388,608 bytes");
  }

  @Test
  void aClosedBufferCannotBeUsedAndCanBeClosedAgain() {
    HostBuffer buffer = HostMemory.allocate(100);
    buffer.close();
    buffer.close();
    assertThatThrownBy(buffer::address)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("closed");
  }

  @Test
  void aLostBufferIsReportedWithThePlaceThatAllocatedIt() {
    long before = PinnedPool.leakDetector().leaks();
    try (LogCapture log = LogCapture.open()) {
      HostBuffer lost = HostMemory.allocate(100);
      assertThat(lost.length()).isEqualTo(100);
      lost = null;
      Awaitility.await()
          .atMost(Duration.ofSeconds(20))
          .until(
              () -> {
                System.gc();
                return PinnedPool.leakDetector().leaks() > before;
              });
      Awaitility.await().until(() -> !log.messages(Level.ERROR).isEmpty());
      assertThat(log.messages(Level.ERROR))
          .singleElement()
          .asString()
          .contains("100 bytes", "HostMemoryTest.aLostBuffer", "never closed");
    }
  }

  @Test
  void anAddressThatIsNoBufferInUseIsRefused() {
    HostBuffer buffer = HostMemory.allocate(100);
    long address = buffer.address();
    for (long wrong : new long[] {address + 1, address + 64, 4096}) {
      assertThatThrownBy(() -> PoolJni.free(wrong))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("it was freed before, or is not of this pool");
    }
    buffer.close();
    assertThatThrownBy(() -> PoolJni.free(address)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void aMissingFileIsAnIoErrorThatNamesIt() {
    assertThatThrownBy(() -> FileJni.open("/no/such/file"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("/no/such/file")
        .hasMessageContaining("No such file");
  }
}
