package io.mooring.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Callers that wait because both the pool and the pageable memory beside it are in use. */
@Tag("forked")
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class FallbackWaitTest {
  private static final long MIB = 1 << 20;
  private static final Duration WAIT = Duration.ofSeconds(60);

  @BeforeAll
  static void startPool() {
    PinnedPool.start(new PoolSettings(12 * MIB, 12 * MIB, 4 * MIB, WAIT, 1, -1, List.of(), false));
    assertThat(PinnedPool.awaitStarted(Duration.ofSeconds(30))).isTrue();
  }

  @Test
  void aBufferThatComesFreeInThePoolServesACallerThatWaitsForPageableMemory() throws Exception {
    HostBuffer pinned = HostMemory.allocate(8 * MIB);
    HostBuffer pageable = HostMemory.allocate(4 * MIB);
    assertThat(pinned.isPinned()).isTrue();
    assertThat(pageable.isPinned()).isFalse();
    long waits = PinnedPool.stats().get(PoolStat.WAIT_COUNT);
    long fallbacks = PinnedPool.stats().fallbackCount();
    ExecutorService threads = Executors.newSingleThreadExecutor();
    try {
      Future<HostBuffer> waiting = threads.submit(() -> HostMemory.allocate(3 * MIB));
      Awaitility.await().until(() -> PinnedPool.stats().get(PoolStat.WAIT_COUNT) == waits + 1);
      pinned.close();
      try (HostBuffer got = waiting.get(20, TimeUnit.SECONDS)) {
        assertThat(got.isPinned()).isTrue();
      }
      assertThat(PinnedPool.stats().fallbackCount()).isEqualTo(fallbacks);
    } finally {
      pageable.close();
      threads.shutdownNow();
    }
  }

  @Test
  void aBufferThatExceedsPageableMemoryWaitsForThePool() throws Exception {
    HostBuffer pinned = HostMemory.allocate(8 * MIB);
    long waits = PinnedPool.stats().get(PoolStat.WAIT_COUNT);
    ExecutorService threads = Executors.newSingleThreadExecutor();
    Future<HostBuffer> waiting = threads.submit(() -> HostMemory.allocate(6 * MIB));
    Awaitility.await().until(() -> PinnedPool.stats().get(PoolStat.WAIT_COUNT) == waits + 1);
    assertThat(HostMemory.tryAllocatePinned(1)).as("a newcomer").isNull();
    pinned.close();
    try (HostBuffer got = waiting.get(20, TimeUnit.SECONDS)) {
      assertThat(got.isPinned()).isTrue();
    }
    threads.shutdown();
  }

  @Test
  void callersThatHoldOneBufferEachAreAllServedLongBeforeTheirDeadline() throws Exception {
    long seed = System.nanoTime();
    System.out.println("seed " + seed);
    long timeouts = PinnedPool.stats().get(PoolStat.TIMEOUTS);
    ExecutorService threads = Executors.newFixedThreadPool(16);
    List<Future<Integer>> done = new ArrayList<>();
    for (int t = 0; t < 16; t++) {
      Random random = new Random(seed + t);
      done.add(threads.submit(() -> holdOneAtATime(random, 100)));
    }
    for (Future<Integer> f : done) {
      assertThat(f.get(60, TimeUnit.SECONDS)).isEqualTo(100);
    }
    threads.shutdown();
    assertThat(PinnedPool.stats().get(PoolStat.WAIT_COUNT)).isPositive();
    assertThat(PinnedPool.stats().get(PoolStat.TIMEOUTS)).isEqualTo(timeouts);
    assertThat(PinnedPool.stats().bytesInUse()).isZero();
  }

  private static int holdOneAtATime(Random random, int rounds) throws InterruptedException {
    int served = 0;
    for (int i = 0; i < rounds; i++) {
      try (HostBuffer buffer = HostMemory.allocate(1 + random.nextInt((int) (4 * MIB)))) {
        served += buffer.address() != 0 ? 1 : 0;
        Thread.sleep(random.nextInt(3));
      }
    }
    return served;
  }
}
