package io.mooring.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.cache.ChunkLookup.CachedRange;
import io.mooring.jni.FileJni;
import io.mooring.memory.HostBuffer;
import io.mooring.memory.HostMemory;
import io.mooring.memory.PinnedPool;
import io.mooring.memory.PoolSettings;
import io.mooring.memory.PoolStat;
import io.mooring.parquet.source.FileRange;
import io.mooring.parquet.source.FileState;
import io.mooring.parquet.source.ParquetFile;
import io.mooring.parquet.verify.PageChecks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.parquet.hadoop.metadata.ColumnPath;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The cache over a pool that no driver has pinned, in a process of its own. */
@Tag("forked")
class ChunkCacheTest {
  private static final long MIB = ChunkScans.MIB;
  private static final long POOL = 64 * MIB;

  private final List<HostBuffer> held = new ArrayList<>();

  @BeforeAll
  static void startPool() {
    PinnedPool.start(
        new PoolSettings(
            POOL, POOL, 8 * MIB, Duration.ofMillis(200), 2, -1, List.of(), /* leaks */ true));
    assertThat(PinnedPool.awaitStarted(Duration.ofSeconds(30))).isTrue();
  }

  @AfterEach
  void evictEverything() {
    held.addAll(ChunkScans.takePool());
    held.forEach(HostBuffer::close);
    assertThat(PinnedPool.stats().bytesInUse()).isZero();
    assertThat(PinnedPool.stats().get(PoolStat.EVICTABLE_BYTES)).isZero();
  }

  private static ChunkLookup found(ChunkCache cache, ChunkRead read) {
    return cache.find(read, PageChecks.CHECKSUMS);
  }

  @Test
  void aChunkIsServedOutOfTheBuffersThatItWasReadInto() {
    ChunkCache cache = new ChunkCache(CacheLimits.ofAllFiles(32 * MIB));
    ChunkRead read = ChunkScans.read(ChunkScans.file("a", 1), MIB, 5 * MIB);
    assertThat(ChunkScans.scan(cache, read, 2 * MIB)).isFalse();
    ChunkLookup found = found(cache, read);
    assertThat(found.cached())
        .extracting(CachedRange::range)
        .containsExactly(
            new FileRange(MIB, 2 * MIB),
            new FileRange(3 * MIB, 2 * MIB),
            new FileRange(5 * MIB, MIB));
    found
        .cached()
        .forEach(
            it ->
                assertThat(FileJni.view(it.address(), it.range().length()).get(0))
                    .isEqualTo((byte) (it.range().offset() / MIB)));
    found.release();
    assertThat(cache.stats().hitBytes()).isEqualTo(5 * MIB);
    assertThat(cache.stats().bytes()).isEqualTo(5 * MIB);
  }

  @Test
  void somePagesAreServedOfAWholeChunkAndNoOthersOfSome() {
    ChunkCache cache = new ChunkCache(CacheLimits.ofAllFiles(32 * MIB));
    FileState file = ChunkScans.file("a", 1);
    FileRange first = new FileRange(MIB, MIB);
    FileRange last = new FileRange(4 * MIB, MIB);
    ChunkRead pages = new ChunkRead(file, ChunkScans.COLUMN, MIB, List.of(first, last));
    assertThat(ChunkScans.scan(cache, pages, 2 * MIB)).isFalse();
    assertThat(
            ChunkScans.scan(cache, new ChunkRead(file, ChunkScans.COLUMN, MIB, List.of(last)), MIB))
        .isTrue();
    ChunkRead whole = ChunkScans.read(file, MIB, 4 * MIB);
    assertThat(ChunkScans.scan(cache, whole, 2 * MIB)).isFalse();
    assertThat(ChunkScans.scan(cache, whole, 2 * MIB)).isTrue();
    assertThat(ChunkScans.scan(cache, pages, 2 * MIB)).isTrue();
  }

  /** A damaged footer may say that two columns have the same bytes. */
  @Test
  void pagesVerifiedForOneColumnAreNotServedForAnother() {
    ChunkCache cache = new ChunkCache(CacheLimits.ofAllFiles(32 * MIB));
    ChunkRead read = ChunkScans.read(ChunkScans.file("a", 1), MIB, MIB);
    ChunkRead other =
        new ChunkRead(read.file(), ColumnPath.get("other"), read.start(), read.ranges());
    assertThat(ChunkScans.scan(cache, read, MIB)).isFalse();
    assertThat(ChunkScans.scan(cache, other, MIB)).isFalse();
    assertThat(ChunkScans.scan(cache, read, MIB)).isTrue();
    assertThat(ChunkScans.scan(cache, other, MIB)).isTrue();
  }

  @Test
  void aFileInAnotherStateIsReadAgainAndItsBytesGo() {
    ChunkCache cache = new ChunkCache(CacheLimits.ofAllFiles(32 * MIB));
    ChunkScans.scan(cache, ChunkScans.read(ChunkScans.file("a", 1), 0, MIB), MIB);
    ChunkScans.scan(cache, ChunkScans.read(ChunkScans.file("a", 1), 4 * MIB, MIB), MIB);
    ChunkScans.scan(cache, ChunkScans.read(ChunkScans.file("b", 1), 0, MIB), MIB);
    assertThat(ChunkScans.scan(cache, ChunkScans.read(ChunkScans.file("a", 2), 0, MIB), MIB))
        .isFalse();
    assertThat(cache.stats().changedBytes()).isEqualTo(2 * MIB);
    assertThat(ChunkScans.scan(cache, ChunkScans.read(ChunkScans.file("a", 2), 0, MIB), MIB))
        .isTrue();
    assertThat(ChunkScans.scan(cache, ChunkScans.read(ChunkScans.file("b", 1), 0, MIB), MIB))
        .isTrue();
  }

  @Test
  void whatOneUserHasReadIsServedToNoOther() {
    ChunkCache cache = new ChunkCache(CacheLimits.ofAllFiles(32 * MIB));
    ParquetFile file = new ParquetFile("hdfs://host/a", 1 << 30, 1);
    FileState one = new FileState(file, 0, 0, new RawLocalFileSystem());
    FileState other = new FileState(file, 0, 0, new RawLocalFileSystem());
    assertThat(ChunkScans.scan(cache, ChunkScans.read(one, 0, MIB), MIB)).isFalse();
    assertThat(cache.hasSome(other)).isFalse();
    assertThat(ChunkScans.scan(cache, ChunkScans.read(other, 0, MIB), MIB)).isFalse();
    assertThat(ChunkScans.scan(cache, ChunkScans.read(one, 0, MIB), MIB)).isTrue();
    assertThat(ChunkScans.scan(cache, ChunkScans.read(other, 0, MIB), MIB)).isTrue();
  }

  @Test
  void whatWasReadInAStateThatIsOverIsNotServed() {
    ChunkCache cache = new ChunkCache(CacheLimits.ofAllFiles(32 * MIB));
    CacheFill old =
        ChunkScans.fill(cache, found(cache, ChunkScans.read(ChunkScans.file("a", 1), 0, MIB)), MIB);
    ChunkScans.scan(cache, ChunkScans.read(ChunkScans.file("a", 2), 0, MIB), MIB);
    old.publish();
    assertThat(ChunkScans.scan(cache, ChunkScans.read(ChunkScans.file("a", 2), 0, MIB), MIB))
        .isTrue();
    assertThat(cache.stats().bytes()).isEqualTo(MIB);
  }

  @Test
  void nothingIsServedBeforeItsPagesAreVerified() {
    ChunkCache cache = new ChunkCache(CacheLimits.ofAllFiles(32 * MIB));
    ChunkRead read = ChunkScans.read(ChunkScans.file("a", 1), 0, MIB);
    CacheFill fill = ChunkScans.fill(cache, found(cache, read), MIB);
    assertThat(found(cache, read).isHit()).isFalse();
    fill.giveUp();
    fill.publish();
    assertThat(found(cache, read).isHit()).isFalse();
    assertThat(cache.stats().bytes()).isZero();
  }

  @Test
  void lesserChecksAreNotEnough() {
    ChunkCache cache = new ChunkCache(CacheLimits.ofAllFiles(32 * MIB));
    ChunkRead read = ChunkScans.read(ChunkScans.file("a", 1), 0, MIB);
    ChunkLookup miss = cache.find(read, PageChecks.STRUCTURE);
    CacheFill fill = new CacheFill(cache, List.of(miss), PageChecks.STRUCTURE);
    fill.add(read.file(), new FileRange(0, MIB), ChunkScans.filled(MIB, 1));
    fill.publish();
    assertThat(cache.find(read, PageChecks.CHECKSUMS).isHit()).isFalse();
    ChunkLookup none = cache.find(read, PageChecks.NONE);
    assertThat(none.isHit()).isTrue();
    none.release();
  }

  @Test
  void aChunkWithAPieceThatWasNotKeptIsNotServed() {
    ChunkCache cache = new ChunkCache(CacheLimits.ofAllFiles(32 * MIB));
    ChunkRead read = ChunkScans.read(ChunkScans.file("a", 1), 0, 2 * MIB);
    CacheFill fill = new CacheFill(cache, List.of(found(cache, read)), PageChecks.CHECKSUMS);
    fill.add(read.file(), new FileRange(0, MIB), ChunkScans.filled(MIB, 1));
    fill.publish();
    assertThat(found(cache, read).isHit()).isFalse();
    assertThat(cache.stats().bytes()).isZero();
  }

  @Test
  void aScanOfMoreThanTheCacheHoldsLeavesItAsItIs() {
    ChunkCache cache = new ChunkCache(CacheLimits.ofAllFiles(16 * MIB));
    FileState file = ChunkScans.file("a", 1);
    long hits = 0;
    for (int round = 0; round < 10; round++) {
      for (int chunk = 0; chunk < 24; chunk++) {
        hits += ChunkScans.scan(cache, ChunkScans.read(file, chunk * MIB, MIB), MIB) ? 1 : 0;
      }
    }
    assertThat(hits).as("two thirds of nine rounds").isEqualTo(9 * 16);
    assertThat(cache.stats().replacedBytes()).isZero();
    assertThat(cache.stats().enoughBytes()).isEqualTo(24 * MIB);
  }

  @Test
  void whatIsReadAgainTakesThePlaceOfWhatIsNot() {
    ChunkCache cache = new ChunkCache(CacheLimits.ofAllFiles(16 * MIB));
    for (int chunk = 0; chunk < 16; chunk++) {
      ChunkScans.scan(cache, ChunkScans.read(ChunkScans.file("old", 1), chunk * MIB, MIB), MIB);
    }
    boolean hit = false;
    for (int round = 0; round < 4; round++) {
      hit = true;
      for (int chunk = 0; chunk < 12; chunk++) {
        hit &=
            ChunkScans.scan(
                cache, ChunkScans.read(ChunkScans.file("new", 1), chunk * MIB, MIB), MIB);
      }
    }
    assertThat(hit).as("all of the last round").isTrue();
    assertThat(cache.stats().replacedBytes()).isEqualTo(12 * MIB);
    assertThat(cache.stats().bytes()).isEqualTo(16 * MIB);
  }

  /**
   * Whether a chunk replaces others of a full cache, all of 1 MiB, in its third scan: between that
   * and its second one the first few of the cached chunks have been used again.
   */
  private static boolean replaces(FileState newer, FileState cached, int usedAgain) {
    ChunkCache cache = new ChunkCache(CacheLimits.ofAllFiles(16 * MIB));
    for (int chunk = 0; chunk < 16; chunk++) {
      ChunkScans.scan(cache, ChunkScans.read(cached, chunk * MIB, MIB), MIB);
    }
    for (int chunk = 0; chunk < 16; chunk++) {
      assertThat(ChunkScans.scan(cache, ChunkScans.read(cached, chunk * MIB, MIB), MIB)).isTrue();
    }
    ChunkRead read = ChunkScans.read(newer, 0, MIB);
    ChunkScans.scan(cache, read, MIB);
    for (int chunk = 0; chunk < usedAgain; chunk++) {
      assertThat(ChunkScans.scan(cache, ChunkScans.read(cached, chunk * MIB, MIB), MIB)).isTrue();
    }
    ChunkScans.scan(cache, read, MIB);
    boolean hit = ChunkScans.scan(cache, read, MIB);
    cache.clear();
    return hit;
  }

  @Test
  void remoteChunksReplaceLocalOnesSoonerAndLocalOnesRemoteOnesLater() {
    FileState local = ChunkScans.file("a", 1);
    // The oldest of the cached chunks was used 13, 8 and 1 MiB of uses before the newer chunk.
    for (int usedAgain : new int[] {3, 8, 15}) {
      int distance = 16 - usedAgain;
      assertThat(replaces(ChunkScans.file("b", 1), local, usedAgain)).isEqualTo(distance > 2);
      assertThat(replaces(ChunkScans.remote("hdfs://b"), ChunkScans.remote("hdfs://a"), usedAgain))
          .isEqualTo(distance > 2);
      assertThat(replaces(ChunkScans.remote("hdfs://b"), local, usedAgain)).isTrue();
      assertThat(replaces(local, ChunkScans.remote("hdfs://a"), usedAgain)).isEqualTo(distance > 8);
    }
  }

  @Test
  void anyAllocationTakesThePoolFromTheCacheAndNoneIsPageable() {
    ChunkCache cache = new ChunkCache(CacheLimits.ofAllFiles(POOL));
    long fallbacks = PinnedPool.stats().fallbackCount();
    List<HostBuffer> whole = ChunkScans.takePool();
    int most = whole.size();
    whole.forEach(HostBuffer::close);
    for (int chunk = 0; chunk < most; chunk++) {
      ChunkScans.scan(cache, ChunkScans.read(ChunkScans.file("a", 1), chunk * MIB, MIB), MIB);
    }
    assertThat(cache.stats().bytes()).isEqualTo(most * MIB);
    for (int i = 0; i < most; i++) {
      HostBuffer buffer = HostMemory.allocate(MIB);
      held.add(buffer);
      assertThat(buffer.isPinned()).isTrue();
    }
    assertThat(ChunkScans.scan(cache, ChunkScans.read(ChunkScans.file("a", 1), 0, MIB), MIB))
        .isFalse();
    assertThat(cache.stats().bytes()).isZero();
    assertThat(PinnedPool.stats().fallbackCount()).as("but for that scan").isEqualTo(fallbacks + 1);
    assertThat(PinnedPool.stats().get(PoolStat.WAIT_COUNT)).isZero();
  }

  @Test
  void underPressureTheCacheDoesNotGrowAgainAtOnce() {
    ChunkCache cache = new ChunkCache(CacheLimits.ofAllFiles(POOL));
    for (int chunk = 0; chunk < 40; chunk++) {
      ChunkScans.scan(cache, ChunkScans.read(ChunkScans.file("a", 1), chunk * MIB, MIB), MIB);
    }
    for (int i = 0; i < 20; i++) {
      held.add(HostMemory.allocate(MIB));
    }
    held.forEach(HostBuffer::close);
    held.clear();
    for (int chunk = 100; chunk < 130; chunk++) {
      ChunkScans.scan(cache, ChunkScans.read(ChunkScans.file("a", 1), chunk * MIB, MIB), MIB);
    }
    assertThat(cache.stats().bytes()).isLessThanOrEqualTo(40 * MIB).isPositive();
    assertThat(
            ChunkScans.scan(cache, ChunkScans.read(ChunkScans.file("a", 1), 129 * MIB, MIB), MIB))
        .isFalse();
  }

  @Test
  void aBufferThatIsReadKeepsItsBytes() {
    ChunkCache cache = new ChunkCache(CacheLimits.ofAllFiles(POOL));
    ChunkRead read = ChunkScans.read(ChunkScans.file("a", 1), 3 * MIB, MIB);
    ChunkScans.scan(cache, read, MIB);
    ChunkLookup reader = found(cache, read);
    assertThat(reader.isHit()).isTrue();
    held.addAll(ChunkScans.takePool());
    held.forEach(buffer -> FileJni.view(buffer.address(), MIB).put(0, (byte) 99));
    assertThat(FileJni.view(reader.cached().get(0).address(), MIB).get(0)).isEqualTo((byte) 3);
    reader.release();
  }
}
