package io.mooring.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.jni.PoolJni;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A pool that may grow, over memory that no driver has pinned. */
@Tag("forked")
class PoolGrowthTest {
  private static final long MIB = 1 << 20;

  @BeforeAll
  static void startPool() {
    PinnedPool.start(
        new PoolSettings(
            16 * MIB, 64 * MIB, 64 * MIB, Duration.ofSeconds(1), 1, -1, List.of(), false));
    assertThat(PinnedPool.awaitStarted(Duration.ofSeconds(30))).isTrue();
  }

  @Test
  void growsUnderDemandAndShrinksAfterAnIdleInterval() {
    List<HostBuffer> held = new ArrayList<>();
    Awaitility.await()
        .pollInterval(Duration.ofMillis(5))
        .until(
            () -> {
              HostBuffer more = HostMemory.tryAllocatePinned(4 * MIB);
              if (more != null) {
                held.add(more);
              }
              return PinnedPool.stats().capacityBytes() == 64 * MIB;
            });
    PinnedPool.awaitStarted(Duration.ofSeconds(30));
    held.forEach(HostBuffer::close);
    assertThat(held).hasSizeGreaterThan(4);
    PoolJni.trim();
    assertThat(PinnedPool.stats().capacityBytes()).isGreaterThan(16 * MIB);
    PoolJni.trim();
    assertThat(PinnedPool.stats().capacityBytes()).isEqualTo(16 * MIB);
  }
}
