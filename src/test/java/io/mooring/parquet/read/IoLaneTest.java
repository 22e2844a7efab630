package io.mooring.parquet.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.mooring.memory.PinnedPool;
import io.mooring.memory.PoolSettings;
import io.mooring.parquet.files.ParquetFiles;
import io.mooring.parquet.unit.ScanCounters;
import io.mooring.parquet.unit.ScanCounters.Counter;
import io.mooring.parquet.verify.PageChecks;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * I/O threads whose copies are done at once, with a pool that holds a few pieces and little to fall
 * back on: in a process of its own, over memory that no driver has pinned.
 */
@Tag("forked")
@Timeout(120)
class IoLaneTest {
  private static final long MIB = 1 << 20;
  private static final int TASKS = 5;
  private static final int UNITS = 4;

  @TempDir static Path folder;
  private static Path file;
  private final ScanCounters counters = new ScanCounters();
  private final Random random = new Random();

  @BeforeAll
  static void startPool() throws Exception {
    PoolSettings settings =
        new PoolSettings(
            16 * MIB,
            16 * MIB,
            8 * MIB,
            Duration.ofSeconds(60),
            2,
            -1,
            List.of(), /* leaks */
            false);
    assertThat(PinnedPool.start(settings)).isTrue();
    assertThat(PinnedPool.awaitStarted(Duration.ofSeconds(30))).isTrue();
    file = folder.resolve("file.parquet");
    ParquetFiles.write(file, 600_000, Long.MAX_VALUE, false, CompressionCodecName.UNCOMPRESSED);
  }

  @RepeatedTest(5)
  void everyUnitComesThroughASmallPool() throws Exception {
    IoLane lane = new IoLane("test-io-", 1 + random.nextInt(5), 64 * MIB, IoLaneTest::copied);
    ExecutorService tasks = Executors.newFixedThreadPool(TASKS);
    try {
      List<CompletableFuture<Void>> all = new ArrayList<>();
      for (int i = 0; i < TASKS; i++) {
        all.add(CompletableFuture.runAsync(() -> task(lane), tasks));
      }
      CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)).join();
    } finally {
      tasks.shutdownNow();
    }
    await().untilAsserted(() -> assertThat(PinnedPool.stats().bytesInUse()).isZero());
    assertThat(counters.value(Counter.PINNED_BYTES)).isPositive();
  }

  @Test
  void aLaneWorksWithAsManyThreadsAsTheSystemAllows() {
    List<Thread> started = new ArrayList<>();
    IoLane lane =
        new IoLane("test-few-", 5, 64 * MIB, IoLaneTest::copied, thread -> start(thread, started));
    assertThat(started).hasSize(2);
    task(lane);
    assertThat(counters.value(Counter.PINNED_BYTES)).isPositive();
    assertThatThrownBy(
            () ->
                new IoLane(
                    "test-no-", 5, 64 * MIB, IoLaneTest::copied, thread -> start(thread, started)))
        .isInstanceOf(OutOfMemoryError.class);
  }

  private static void start(Thread thread, List<Thread> started) {
    if (started.size() == 2) {
      throw new OutOfMemoryError("unable to create native thread");
    }
    thread.start();
    started.add(thread);
  }

  /**
   * Stands for a copy of which the device has the bytes already; drops a piece that nobody wants.
   */
  private static boolean copied(UploadPiece piece) {
    return !piece.isGivenUp() || piece.startCopy(() -> {});
  }

  /** Every page is held against its checksum; some units are given up under way. */
  private void task(IoLane lane) {
    try {
      for (int i = 0; i < UNITS; i++) {
        try (UnitUpload upload = upload()) {
          lane.submit(VerifiedUnits.pieces(upload), i);
          if (random.nextInt(4) > 0) {
            upload.await(() -> {});
          }
        }
      }
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private UnitUpload upload() throws Exception {
    long pieceBytes = MIB + random.nextInt(5 << 20);
    return new UnitUpload(
        VerifiedUnits.whole(file),
        CachedParts.NONE,
        PageChecks.CHECKSUMS,
        counters,
        ParquetFiles.CONF,
        pieceBytes,
        pieceBytes);
  }
}
