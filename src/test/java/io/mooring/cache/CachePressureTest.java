package io.mooring.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mooring.memory.HostBuffer;
import io.mooring.memory.HostMemory;
import io.mooring.memory.PinnedPool;
import io.mooring.memory.PoolSettings;
import io.mooring.memory.PoolStat;
import io.mooring.memory.PoolStats;
import io.mooring.parquet.source.FileRange;
import io.mooring.parquet.source.FileState;
import io.mooring.parquet.source.ParquetFile;
import io.mooring.parquet.verify.PageChecks;
import io.mooring.testing.RandomCases;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Threads that together need the whole pool wait and fall back to pageable memory as often with a
 * full cache as without one. Over a pool that no driver has pinned, in a process of its own.
 */
@Tag("extended")
@Tag("forked")
@Tag("random")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CachePressureTest {
  private static final int THREADS = 16;
  private static final int ROUNDS = RandomCases.of("mooring.test.pressureRounds", 100);
  private static final long KIB = 1 << 10;
  private static final long MIB = 1 << 20;
  private static final long PAGEABLE = 8 * MIB;
  private static final long WAIT_SECONDS = 20;

  private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);
  private long share;

  /** What a round has cost. */
  private record Cost(long waits, long fallbacks, long timeouts) {
    static Cost since(PoolStats before) {
      PoolStats now = PinnedPool.stats();
      return new Cost(
          now.get(PoolStat.WAIT_COUNT) - before.get(PoolStat.WAIT_COUNT),
          now.fallbackCount() - before.fallbackCount(),
          now.get(PoolStat.TIMEOUTS) - before.get(PoolStat.TIMEOUTS));
    }
  }

  @BeforeAll
  void startPool() {
    PinnedPool.start(
        new PoolSettings(
            64 * MIB,
            64 * MIB,
            PAGEABLE,
            Duration.ofSeconds(WAIT_SECONDS),
            2,
            -1,
            List.of(),
            true));
    assertThat(PinnedPool.awaitStarted(Duration.ofSeconds(30))).isTrue();
    List<HostBuffer> all = new ArrayList<>();
    for (HostBuffer one = pinned(); one != null; one = pinned()) {
      all.add(one);
    }
    all.forEach(HostBuffer::close);
    share = all.size() / THREADS * MIB;
    assertThat(share * THREADS).as("what Java may have").isEqualTo(all.size() * MIB);
  }

  private static HostBuffer pinned() {
    return HostMemory.tryAllocatePinned(MIB);
  }

  @AfterAll
  void stopThreads() {
    threads.shutdownNow();
  }

  @ParameterizedTest
  @CsvSource({"1024, 1024", "1024, 3072", "192, 1024", "704, 3072", "3072, 1024"})
  void aFullCacheCostsNoWaitAndNoPageableBuffer(long cachedKib, long neededKib) throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      Cost without = takeAll(neededKib * KIB);
      assertThat(without).isEqualTo(new Cost(PAGEABLE / MIB, PAGEABLE / MIB, 0));
      fillCache(cachedKib * KIB);
      long evictions = PinnedPool.stats().get(PoolStat.EVICTIONS);
      assertThat(takeAll(neededKib * KIB)).as("round " + round).isEqualTo(without);
      assertThat(PinnedPool.stats().get(PoolStat.EVICTIONS)).isGreaterThan(evictions);
      assertThat(PinnedPool.stats().get(PoolStat.EVICTABLE_BYTES)).isZero();
    }
  }

  /** Reads chunks in pieces until the pool has room for no other. */
  private void fillCache(long piece) {
    ChunkCache cache = new ChunkCache(CacheLimits.ofAllFiles(64 * MIB));
    FileState file = new FileState(new ParquetFile("a", 1 << 30, 1), 7, 1_000_000, null);
    long fitting = share * THREADS / piece;
    for (long chunk = 0; chunk < fitting; chunk++) {
      FileRange range = new FileRange(chunk * piece, piece);
      ChunkRead read = new ChunkRead(file, ChunkScans.COLUMN, range.offset(), List.of(range));
      ChunkLookup miss = cache.find(read, PageChecks.CHECKSUMS);
      CacheFill fill = new CacheFill(cache, List.of(miss), PageChecks.CHECKSUMS);
      fill.add(file, range, HostMemory.allocate(piece));
      fill.publish();
    }
    assertThat(cache.stats().bytes()).isEqualTo(fitting * piece);
  }

  /**
   * Each thread takes its share of the pool in buffers of {@code bytes}, and then one of 1 MiB,
   * which half of the threads get from pageable memory. The others wait for the shares of these.
   */
  private Cost takeAll(long bytes) throws Exception {
    PoolStats before = PinnedPool.stats();
    CyclicBarrier everyone = new CyclicBarrier(THREADS);
    CountDownLatch othersWait = new CountDownLatch(1);
    List<Future<?>> running = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      running.add(threads.submit(() -> takeShare(bytes, everyone, othersWait)));
    }
    await()
        .pollInterval(Duration.ofMillis(1))
        .until(() -> Cost.since(before).waits() >= THREADS - PAGEABLE / MIB);
    othersWait.countDown();
    for (Future<?> thread : running) {
      thread.get(2 * WAIT_SECONDS, TimeUnit.SECONDS);
    }
    assertThat(PinnedPool.stats().bytesInUse()).isZero();
    return Cost.since(before);
  }

  private Void takeShare(long bytes, CyclicBarrier everyone, CountDownLatch othersWait)
      throws Exception {
    List<HostBuffer> held = new ArrayList<>();
    everyone.await(WAIT_SECONDS, TimeUnit.SECONDS);
    for (long taken = 0; taken < share; taken += bytes) {
      held.add(HostMemory.allocate(bytes));
    }
    everyone.await(WAIT_SECONDS, TimeUnit.SECONDS);
    try (HostBuffer another = HostMemory.allocate(MIB)) {
      othersWait.await(WAIT_SECONDS, TimeUnit.SECONDS);
      held.forEach(HostBuffer::close);
      everyone.await(WAIT_SECONDS, TimeUnit.SECONDS);
    }
    return null;
  }
}
