package io.mooring.parquet.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.mooring.cache.CacheLimits;
import io.mooring.cache.ChunkCache;
import io.mooring.jni.FileJni;
import io.mooring.memory.PinnedPool;
import io.mooring.memory.PoolSettings;
import io.mooring.parquet.files.ParquetFiles;
import io.mooring.parquet.footer.Footer;
import io.mooring.parquet.source.FileRange;
import io.mooring.parquet.source.FileState;
import io.mooring.parquet.source.ParquetFile;
import io.mooring.parquet.unit.CoalescedUnit;
import io.mooring.parquet.unit.ReadUnit;
import io.mooring.parquet.unit.ScanCounters;
import io.mooring.parquet.unit.ScanCounters.Counter;
import io.mooring.parquet.unit.UnitPlanner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What of a unit is cached and what is read, by real files and a pool that is not pinned. */
@Tag("extended")
@Tag("forked")
class CachedPartsTest {
  private static final long MIB = 1 << 20;
  private static final int ROWS = 120_000;
  private static final List<String> ALL = List.of("id", "other", "text");

  @TempDir static Path folder;
  private static ParquetFile first;
  private static ParquetFile second;

  private final ChunkCache cache = new ChunkCache(CacheLimits.ofAllFiles(64 * MIB));
  private final ScanCounters counters = new ScanCounters();

  @BeforeAll
  static void start() throws Exception {
    PinnedPool.start(
        new PoolSettings(128 * MIB, 128 * MIB, 0, Duration.ofSeconds(1), 2, -1, List.of(), true));
    assertThat(PinnedPool.awaitStarted(Duration.ofSeconds(30))).isTrue();
    first = ParquetFiles.write(folder.resolve("first"), ROWS, 2 * MIB);
    second = ParquetFiles.write(folder.resolve("second"), ROWS, 2 * MIB);
    await().until(() -> FileState.beforeReading(second, ParquetFiles.CONF).isSettled());
  }

  private static ReadUnit unit(ParquetFile file, List<String> columns, long mergeDistance)
      throws Exception {
    return CachedReads.unit(file, columns, mergeDistance);
  }

  private CachedParts find(ReadUnit unit) throws IOException {
    return new CachedReads(cache, counters).find(unit);
  }

  private void read(ReadUnit unit) throws IOException {
    new CachedReads(cache, counters).read(unit);
  }

  /** So many of a unit's bytes are in the cache, and the others have to be read. */
  private void assertCached(long bytes, ReadUnit unit, byte[]... files) throws IOException {
    CachedParts parts = find(unit);
    assertThat(parts.bytes()).isEqualTo(bytes);
    assertComplete(unit, parts, files);
    parts.release();
  }

  /** Every byte of every column chunk comes from the cache or has to be read, and only once. */
  private static void assertComplete(ReadUnit unit, CachedParts parts, byte[]... files) {
    assertThat(parts.parts().stream().mapToLong(part -> part.range().length()).sum())
        .isEqualTo(parts.bytes());
    for (CachedParts.Part part : parts.parts()) {
      byte[] cached = new byte[(int) part.range().length()];
      FileJni.view(part.address(), cached.length).get(cached);
      assertThat(unit.ranges())
          .anyMatch(it -> it.contains(part.range().offset(), part.range().length()));
      int offset = (int) unit.files().inFile(part.range()).offset();
      byte[] file = files[unit.files().indexAt(part.range().offset())];
      assertThat(cached).isEqualTo(Arrays.copyOfRange(file, offset, offset + cached.length));
    }
    List<FileRange> toRead =
        unit.ranges().stream().flatMap(range -> parts.toRead(range).stream()).toList();
    unit.columnChunks()
        .forEach(
            chunk -> {
              long start = chunk.getStartingPos();
              boolean isRead =
                  toRead.stream().anyMatch(it -> it.contains(start, chunk.getTotalSize()));
              assertThat(isRead).isNotEqualTo(parts.has(chunk));
            });
  }

  @Test
  void whatWasReadIsFound() throws Exception {
    ReadUnit unit = unit(first, ALL, 0);
    read(unit);
    CachedParts again = find(unit);
    assertThat(again.bytes()).isEqualTo(unit.neededBytes());
    assertComplete(unit, again, VerifiedUnits.bytes(folder.resolve("first")));
    assertThat(unit.ranges()).allSatisfy(range -> assertThat(again.toRead(range)).isEmpty());
    again.checkUnchanged(ParquetFiles.CONF);
    again.release();
    again.release();
    assertThat(counters.value(Counter.CACHE_HITS)).isEqualTo(unit.columnChunks().count());
  }

  @Test
  void columnsBetweenCachedOnesAreReadAlone() throws Exception {
    ReadUnit outer = unit(first, List.of("id", "text"), 0);
    read(outer);
    // One range over all of the file, with what lies between the chunks.
    ReadUnit all = unit(first, ALL, 64 * MIB);
    assertThat(all.ranges()).hasSize(1);
    assertCached(outer.neededBytes(), all, VerifiedUnits.bytes(folder.resolve("first")));
  }

  @Test
  void columnsBesideCachedOnesAreReadWithoutThem() throws Exception {
    read(unit(first, List.of("other"), 0));
    ReadUnit all = unit(first, ALL, 0);
    CachedParts parts = find(all);
    assertComplete(all, parts, VerifiedUnits.bytes(folder.resolve("first")));
    long toRead =
        all.ranges().stream()
            .flatMap(range -> parts.toRead(range).stream())
            .mapToLong(FileRange::length)
            .sum();
    assertThat(toRead).isEqualTo(all.neededBytes() - parts.bytes());
    parts.release();
  }

  @Test
  void eachFileOfACoalescedUnitIsLookedUp() throws Exception {
    read(unit(second, ALL, 0));
    ReadUnit both = CoalescedUnit.of(List.of(unit(first, ALL, 0), unit(second, ALL, 0)));
    byte[][] files = VerifiedUnits.bytes(folder.resolve("first"), folder.resolve("second"));
    assertCached(unit(second, ALL, 0).neededBytes(), both, files);
    read(both);
    assertCached(both.neededBytes(), both, files);
  }

  /** Two splits of a file may be in one task. */
  @Test
  void eachPartOfAFileThatComesTwiceIsLookedUp() throws Exception {
    Footer footer = ParquetFiles.footer(folder.resolve("first"));
    int rowGroups = footer.rowGroups().size();
    assertThat(rowGroups).isGreaterThan(1);
    List<ReadUnit> units = new ArrayList<>();
    for (int rowGroup = 0; rowGroup < rowGroups; rowGroup++) {
      units.addAll(new UnitPlanner(first, footer, ALL, Long.MAX_VALUE, 0).plan(List.of(rowGroup)));
    }
    // A row group may come twice too, as where a query names a file twice.
    units.add(units.get(0));
    ReadUnit all = CoalescedUnit.of(units);
    byte[] bytes = Files.readAllBytes(folder.resolve("first"));
    byte[][] files = Collections.nCopies(units.size(), bytes).toArray(byte[][]::new);
    read(units.get(1));
    assertCached(units.get(1).neededBytes(), all, files);
    read(all);
    assertCached(all.neededBytes(), all, files);
  }

  @Test
  void aFileThatIsReplacedBetweenLookUpAndReadIsNotMixed() throws Exception {
    Path path = folder.resolve("replaced");
    Files.copy(folder.resolve("first"), path);
    ParquetFile file = ParquetFiles.at(path);
    await().until(() -> FileState.beforeReading(file, ParquetFiles.CONF).isSettled());
    read(unit(file, ALL, 0));
    CachedParts parts = find(unit(file, ALL, 0));
    assertThat(parts.isEmpty()).isFalse();
    var time = Files.getLastModifiedTime(path);
    Path copy = Files.copy(folder.resolve("second"), folder.resolve("copy"));
    Files.setLastModifiedTime(copy, time);
    Files.move(copy, path, StandardCopyOption.ATOMIC_MOVE);
    assertThatThrownBy(() -> parts.checkUnchanged(ParquetFiles.CONF))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("written again");
    parts.release();
    CachedParts again = find(unit(file, ALL, 0));
    assertThat(again.isEmpty()).isTrue();
  }

  @Test
  void aFileJustWrittenIsNotLookedUp() throws Exception {
    ParquetFile fresh = ParquetFiles.write(folder.resolve("fresh"), ROWS, 2 * MIB);
    read(unit(fresh, ALL, 0));
    CachedParts again = find(unit(fresh, ALL, 0));
    assertThat(again.isEmpty()).isTrue();
    assertThat(cache.stats().bytes()).isZero();
  }

  @Test
  void aCacheOfRemoteFilesLooksNoLocalFileUp() throws Exception {
    ChunkCache remote = new ChunkCache(CacheLimits.ofRemoteFiles(64 * MIB));
    assertThat(new CachedReads(remote, counters).find(unit(first, ALL, 0)))
        .isSameAs(CachedParts.NONE);
    assertThat(counters.value(Counter.CACHE_MISSES)).isZero();
  }
}
