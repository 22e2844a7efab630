package io.mooring.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
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
  void unitsWithoutSomePagesPass() throws Exception {
    System.out.println("UnitVerificationTest seed " + seed);
    Path path = folder.resolve("thinned.parquet");
    PagedFiles.writeLarge(path, random);
    long row = random.nextInt(500);
    ReadUnit unit =
        UnitPages.read(
                VerifiedUnits.whole(path), Set.of(), 0, ParquetFiles.CONF, new ScanCounters())
            .thinned(rowGroup -> (from, to) -> from <= row && row < to);
    assertThat(unit.pagesLeft()).isPositive();
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
      // Those have no row groups, or no columns.
      if (!file.toString().matches(".*-zero-(columns|row-groups)\\.parquet")) {
        ReadUnit unit = VerifiedUnits.whole(file);
        byte[][] bytes = VerifiedUnits.bytes(file);
        assertThatCode(() -> VerifiedUnits.check(unit, PageChecks.CHECKSUMS, bytes))
            .as(file.toString())
            .doesNotThrowAnyException();
      }
    }
  }
}
