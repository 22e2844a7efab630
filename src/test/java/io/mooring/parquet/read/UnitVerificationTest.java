package io.mooring.parquet.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.mooring.parquet.files.PagedFiles;
import io.mooring.parquet.files.ParquetFiles;
import io.mooring.parquet.footer.UnreadableOnGpuException;
import io.mooring.parquet.prune.SkippablePages;
import io.mooring.parquet.source.FileRange;
import io.mooring.parquet.unit.CoalescedUnit;
import io.mooring.parquet.unit.ReadUnit;
import io.mooring.parquet.unit.ScanCounters;
import io.mooring.parquet.verify.PageChecks;
import io.mooring.parquet.verify.SliceVerification;
import io.mooring.parquet.verify.UnitVerification;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Good files pass, however their bytes come. */
class UnitVerificationTest {
  private static final Path FOREIGN =
      Path.of(System.getProperty("mooring.basedir"), "src", "test", "resources", "foreign");

  @TempDir Path folder;
  private final long seed = Long.getLong("mooring.test.seed", System.nanoTime());
  private final Random random = new Random(seed);

  @RepeatedTest(20)
  void randomFilesPassInAnyOrderOfTheirPieces() throws Exception {
    System.out.println("UnitVerificationTest seed " + seed);
    Path path = folder.resolve("good.parquet");
    PagedFiles.write(path, random);
    ReadUnit unit = VerifiedUnits.whole(path);
    byte[][] bytes = VerifiedUnits.bytes(path);
    for (PageChecks checks : PageChecks.values()) {
      VerifiedUnits.check(unit, checks, bytes);
    }
    VerifiedUnits.checkInPieces(unit, random, 1 + random.nextInt(4), bytes);
  }

  @RepeatedTest(20)
  void unitsWithSkippedPages_pass() throws Exception {
    System.out.println("UnitVerificationTest seed " + seed);
    Path path = folder.resolve("sparse.parquet");
    PagedFiles.writeLarge(path, random);
    long row = random.nextInt(500);
    ReadUnit unit =
        SkippablePages.read(
                VerifiedUnits.whole(path), Set.of(), 0, ParquetFiles.CONF, new ScanCounters())
            .skipPages(rowGroup -> (from, to) -> from <= row && row < to);
    assertThat(unit.pagesSkipped()).isPositive();
    VerifiedUnits.check(unit, PageChecks.CHECKSUMS, VerifiedUnits.bytes(path));
    VerifiedUnits.checkInPieces(unit, random, 3, VerifiedUnits.bytes(path));
  }

  @Test
  void severalFilesInOneUnitPass() throws Exception {
    List<ReadUnit> units = new ArrayList<>();
    Path[] paths = new Path[3];
    for (int i = 0; i < paths.length; i++) {
      paths[i] = folder.resolve(i + ".parquet");
      ParquetFiles.write(paths[i], 900 * i + 1, 8 << 10, i > 0, CompressionCodecName.SNAPPY);
      units.add(VerifiedUnits.whole(paths[i]));
    }
    VerifiedUnits.check(CoalescedUnit.of(units), PageChecks.CHECKSUMS, VerifiedUnits.bytes(paths));
  }

  @Test
  void filesOfOtherWritersPass() throws Exception {
    List<Path> files;
    try (Stream<Path> all = Files.list(FOREIGN)) {
      files = all.filter(file -> file.toString().endsWith(".parquet")).sorted().toList();
    }
    assertThat(files).hasSizeGreaterThan(20);
    for (Path file : files) {
      // The files of these names have no row groups, or no columns.
      boolean whole = !file.toString().matches(".*-zero-(columns|row-groups)\\.parquet");
      if (whole && isKnown(file)) {
        ReadUnit unit = VerifiedUnits.whole(file);
        byte[][] bytes = VerifiedUnits.bytes(file);
        assertThatCode(() -> VerifiedUnits.check(unit, PageChecks.CHECKSUMS, bytes))
            .as(file.toString())
            .doesNotThrowAnyException();
      }
    }
  }

  /** Footers with types that came later make no sense to the parquet-mr of Spark 3.5. */
  private static boolean isKnown(Path file) throws IOException {
    try {
      ParquetFiles.footer(file);
      return true;
    } catch (UnreadableOnGpuException e) {
      assertThat(VerifiedUnits.ofSpark3()).as(file.toString()).isTrue();
      return false;
    }
  }

  /** Parts wait as copies for what comes before them, up to a limit, and not for ever. */
  @Test
  @Timeout(60)
  void detachedFragments_areBoundedAndGoWithTheirUnit() throws Exception {
    Path path = folder.resolve("waiting.parquet");
    ParquetFiles.write(path, 200_000, 64 << 20, false, CompressionCodecName.UNCOMPRESSED);
    ReadUnit unit = VerifiedUnits.whole(path);
    byte[] bytes = VerifiedUnits.bytes(path)[0];
    for (int round = 0; round < 2; round++) {
      List<UnitVerification> given = new ArrayList<>();
      assertThat(isLeft(unit, bytes, given)).isTrue();
      int most = (80 << 20) / (200_000 * Long.BYTES);
      boolean all = true;
      for (int i = 0; i < most; i++) {
        all &= isLeft(unit, bytes, given);
      }
      assertThat(all).isFalse();
      given.forEach(UnitVerification::giveUp);
    }
    VerifiedUnits.checkInPieces(unit, random, 2, bytes);
  }

  /** Brings all but the first bytes; whether that ends without being cancelled. */
  private static boolean isLeft(ReadUnit unit, byte[] bytes, List<UnitVerification> given)
      throws Exception {
    UnitVerification verification =
        ExpectedChunks.verification(unit, PageChecks.CHECKSUMS, CachedParts.NONE);
    given.add(verification);
    FileRange range = unit.ranges().get(0);
    int from = (int) range.offset() + 10;
    int length = (int) range.end() - from;
    SliceVerification piece = verification.of(new FileRange(from, length));
    piece.read(ByteBuffer.wrap(bytes).slice(from, length));
    AtomicInteger asked = new AtomicInteger();
    piece.finish(() -> asked.incrementAndGet() > 3);
    return asked.get() == 1;
  }
}
