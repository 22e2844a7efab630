package io.mooring.parquet.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.mooring.jni.CudaFailure;
import io.mooring.jni.NativeLibrary;
import io.mooring.jni.PoolJni;
import io.mooring.memory.PinnedPool;
import io.mooring.parquet.files.ParquetFiles;
import io.mooring.parquet.unit.ScanCounters;
import io.mooring.parquet.unit.ScanCounters.Counter;
import io.mooring.parquet.verify.PageChecks;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the I/O threads make of a device to which nothing can be copied: failures, at once. */
@Timeout(120)
class IoThreadsTest {
  private static final long MIB = 1 << 20;
  private static final int TASKS = 4;
  private static final int UNITS = 6;

  @TempDir static Path folder;
  private static Path file;
  private final ScanCounters counters = new ScanCounters();
  private final Random random = new Random();

  @BeforeAll
  static void write() throws Exception {
    assertThat(NativeLibrary.load()).as(NativeLibrary.problem()).isTrue();
    file = folder.resolve("file.parquet");
    ParquetFiles.write(file, 300_000, Long.MAX_VALUE, false, CompressionCodecName.UNCOMPRESSED);
  }

  /** Without a GPU there is not even an event to wait for. */
  @Test
  void copiesThatAreRefusedFailTheirUnits() throws Exception {
    assumeThat(PoolJni.deviceCount()).as("GPUs").isZero();
    failingUnits(IoThreads.start(3, 2, 0, () -> {}));
  }

  @Test
  void aDeviceThatCannotBeMadeCurrentFailsThem() throws Exception {
    AtomicInteger asked = new AtomicInteger();
    IoThreads threads =
        IoThreads.start(
            3,
            2,
            0,
            () -> {
              asked.incrementAndGet();
              throw new CudaFailure("cudaErrorDevicesUnavailable (46): for a test");
            });
    failingUnits(threads);
    assertThat(asked).hasPositiveValue();
  }

  private void failingUnits(IoThreads threads) throws Exception {
    long before = PinnedPool.stats().bytesInUse();
    List<CompletableFuture<Void>> tasks = new ArrayList<>();
    for (int i = 0; i < TASKS; i++) {
      tasks.add(CompletableFuture.runAsync(() -> task(threads)));
    }
    CompletableFuture.allOf(tasks.toArray(CompletableFuture[]::new)).join();
    assertThat(PinnedPool.stats().bytesInUse()).isLessThan(before + MIB);
    assertThat(counters.value(Counter.BYTES_READ)).isPositive();
  }

  /** Some are waited for, some are given up while their pieces are under way. */
  private void task(IoThreads threads) {
    try {
      for (int i = 0; i < UNITS; i++) {
        try (UnitUpload upload = upload()) {
          threads.submit(VerifiedUnits.pieces(upload), i);
          if (random.nextInt(3) > 0) {
            assertThatThrownBy(() -> upload.await(() -> {})).isInstanceOf(CudaFailure.class);
          }
        }
      }
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private UnitUpload upload() throws Exception {
    long pieceBytes = MIB + random.nextInt(3 << 20);
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
