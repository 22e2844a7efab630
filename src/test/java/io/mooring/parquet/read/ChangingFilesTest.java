package io.mooring.parquet.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.cache.CacheLimits;
import io.mooring.cache.ChunkCache;
import io.mooring.jni.FileJni;
import io.mooring.memory.PinnedPool;
import io.mooring.memory.PoolSettings;
import io.mooring.parquet.files.ParquetFiles;
import io.mooring.parquet.footer.UnreadableOnGpuException;
import io.mooring.parquet.read.VersionedFile.Change;
import io.mooring.parquet.unit.ReadUnit;
import io.mooring.parquet.unit.ScanCounters;
import io.mooring.testing.RandomCases;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Files that change at random between and beside look-ups: every byte that the cache serves was the
 * file's during the look-up. Over a pool that is not pinned, in a process of its own.
 */
@Tag("extended")
@Tag("forked")
@Tag("random")
class ChangingFilesTest {
  private static final long MIB = 1 << 20;
  private static final int ROUNDS = RandomCases.of("mooring.test.cachedRounds", 250);
  // A file that has changed is not cached for 3 s: that many keep most of them cached.
  private static final int FILES = 250;
  private static final int THREADS = 3;
  private static final long ROUND_MILLIS = 15;
  private static final List<String> COLUMNS = List.of("id", "other", "text");

  @TempDir static Path folder;

  private final long seed = Long.getLong("mooring.test.seed", System.nanoTime());
  private final ChunkCache cache = new ChunkCache(CacheLimits.ofAllFiles(96 * MIB));
  private final CachedReads reads = new CachedReads(cache, new ScanCounters());
  private final List<VersionedFile> files = new ArrayList<>();
  private final Queue<String> stale = new ConcurrentLinkedQueue<>();
  private volatile boolean isOver;

  /** Tasks of one thread, which know some files by old listings and old footers. */
  private final class Tasks {
    private final Random random;
    private final Map<VersionedFile, ReadUnit> planned = new HashMap<>();

    Tasks(long seed) {
      this.random = new Random(seed);
    }

    Void run() {
      while (!isOver) {
        read(files.get(random.nextInt(FILES)));
      }
      return null;
    }

    void read(VersionedFile file) {
      try {
        ReadUnit unit = random.nextBoolean() ? planned.get(file) : null;
        if (unit == null) {
          unit = CachedReads.unit(ParquetFiles.at(file.path()), COLUMNS, 0);
          planned.put(file, unit);
        }
        long from = System.nanoTime();
        CachedParts parts = reads.find(unit);
        parts.parts().forEach(part -> check(file, part, from));
        reads.readRest(unit, parts);
      } catch (IOException | UnreadableOnGpuException e) {
        // The file is gone, is no Parquet file any more, or is not the listed one.
        planned.remove(file);
      } catch (Exception e) {
        throw new IllegalStateException("Look-up of " + file.path(), e);
      }
    }
  }

  private void check(VersionedFile file, CachedParts.Part part, long from) {
    byte[] served = new byte[(int) part.range().length()];
    FileJni.view(part.address(), served.length).get(served);
    if (!file.had(part.range(), served, from, System.nanoTime())) {
      stale.add(file.path() + " " + part.range());
    }
  }

  @Test
  void noByteThatTheCacheServesIsStale() throws Exception {
    System.out.println("ChangingFilesTest seed " + seed);
    start();
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    List<Future<?>> running = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      Tasks tasks = new Tasks(seed + i);
      running.add(threads.submit(tasks::run));
    }
    try {
      changeFiles();
    } finally {
      isOver = true;
      threads.shutdown();
    }
    for (Future<?> thread : running) {
      thread.get();
    }
    System.out.println("ChangingFilesTest: " + ROUNDS + " changes, " + cache.stats());
    assertThat(stale).isEmpty();
    assertThat(cache.stats().hits()).as("served").isGreaterThan(ROUNDS);
    assertThat(cache.stats().changedBytes()).as("dropped").isGreaterThan(MIB);
    assertThat(PinnedPool.stats().bytesInUse()).isZero();
  }

  private void start() throws IOException {
    PinnedPool.start(
        new PoolSettings(160 * MIB, 160 * MIB, 0, Duration.ofSeconds(10), 2, -1, List.of(), true));
    assertThat(PinnedPool.awaitStarted(Duration.ofSeconds(30))).isTrue();
    List<byte[]> forms = List.of(form(10_000), form(12_000));
    for (int i = 0; i < FILES; i++) {
      files.add(new VersionedFile(folder.resolve("part-" + i + ".parquet"), forms, seed + i));
    }
  }

  private static byte[] form(int rows) throws IOException {
    Path path = folder.resolve("form-" + rows);
    ParquetFiles.write(path, rows, 64 * MIB);
    return Files.readAllBytes(path);
  }

  /**
   * Changes one file in each round, and looks it up at once: by its old listing, and by a new one.
   */
  private void changeFiles() throws Exception {
    Random random = new Random(seed - 1);
    Tasks own = new Tasks(seed - 2);
    // Until most files are cached.
    Thread.sleep(5_000);
    for (int round = 0; round < ROUNDS; round++) {
      VersionedFile file = files.get(random.nextInt(FILES));
      own.read(file);
      Change how = Change.values()[random.nextInt(Change.values().length)];
      file.change(how, random.nextLong());
      own.read(file);
      own.read(file);
      Thread.sleep(ROUND_MILLIS);
    }
  }
}
