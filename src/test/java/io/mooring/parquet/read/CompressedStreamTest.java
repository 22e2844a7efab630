package io.mooring.parquet.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.mooring.parquet.files.CompressedForms;
import io.mooring.parquet.files.CompressedPages;
import io.mooring.parquet.unit.ReadUnit;
import io.mooring.parquet.verify.PageChecks;
import io.mooring.parquet.verify.UndecodablePagesException;
import java.nio.file.Path;
import java.util.Random;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** Pages that a decoder on the GPU may take for less than they are do not get there. */
@Tag("extended")
class CompressedStreamTest {
  private static final int PAGES = 5;

  /**
   * Hadoop's LZ4, which its name in the footer leaves to Spark, and what no reader takes for one
   * LZ4 block: such a block does not say where it ends.
   */
  private static final String UNCHECKED = "HADOOP_.*";

  @TempDir Path folder;
  private final long seed = Long.getLong("mooring.test.seed", System.nanoTime());
  private final Random random = new Random(seed);

  @ParameterizedTest
  @EnumSource(value = CompressedForms.class, mode = Mode.MATCH_NONE, names = UNCHECKED)
  void onlyPlainStreamsPass(CompressedForms form) throws Exception {
    System.out.println("CompressedStreamTest seed " + seed);
    // Small pages end before what their beginning could take, large ones have several blocks.
    for (int rows : new int[] {2, 10, 1_000, 100_000}) {
      Path path = folder.resolve(rows + ".parquet");
      CompressedPages.write(path, form.codec(), PAGES, rows, form::of);
      ReadUnit unit = VerifiedUnits.whole(path);
      byte[][] bytes = VerifiedUnits.bytes(path);
      for (PageChecks checks : new PageChecks[] {PageChecks.CHECKSUMS, PageChecks.STRUCTURE}) {
        assertFound(form, () -> VerifiedUnits.check(unit, checks, bytes));
        if (rows <= 1_000) {
          assertFound(form, () -> VerifiedUnits.checkByteByByte(unit, checks, bytes));
        }
      }
      // Large pages have many pieces each.
      for (int i = 0; i < (rows > 1_000 ? 2 : 10); i++) {
        assertFound(form, () -> VerifiedUnits.checkInPieces(unit, random, 3, bytes));
      }
    }
  }

  /** The first page alone is another one: its bytes come in pieces of every size. */
  @ParameterizedTest
  @EnumSource(value = CompressedForms.class, mode = Mode.MATCH_NONE, names = UNCHECKED)
  void onePageAmongOthersIsFound(CompressedForms form) throws Exception {
    Path path = folder.resolve("one.parquet");
    CompressedForms usual = usual(form.codec());
    boolean[] first = {true};
    CompressedPages.write(
        path,
        form.codec(),
        PAGES,
        300,
        page -> {
          byte[] bytes = (first[0] ? form : usual).of(page);
          first[0] = false;
          return bytes;
        });
    ReadUnit unit = VerifiedUnits.whole(path);
    assertFound(
        form, () -> VerifiedUnits.check(unit, PageChecks.STRUCTURE, VerifiedUnits.bytes(path)));
  }

  /** A decoder would leave the memory of such values as it is. */
  @ParameterizedTest
  @EnumSource(names = {"SNAPPY", "GZIP", "ZSTD", "LZ4_RAW"})
  void pagesTooShortForTheirValuesAreFound(CompressionCodecName codec) throws Exception {
    byte[][] bodies = {{}, {0}, {5}, {1, 2}, {1, 0, 7}, {0x10, 0, 0}, {0x1f, (byte) 0x8b, 8}};
    for (int i = 0; i < bodies.length; i++) {
      byte[] body = bodies[i];
      Path path = folder.resolve(i + ".parquet");
      CompressedPages.write(path, codec, PAGES, 50, values -> body);
      ReadUnit unit = VerifiedUnits.whole(path);
      byte[][] bytes = VerifiedUnits.bytes(path);
      for (PageChecks checks : new PageChecks[] {PageChecks.CHECKSUMS, PageChecks.STRUCTURE}) {
        assertThatThrownBy(() -> VerifiedUnits.check(unit, checks, bytes))
            .as("%d", i)
            .isInstanceOf(UndecodablePagesException.class);
        assertThatThrownBy(() -> VerifiedUnits.checkByteByByte(unit, checks, bytes))
            .as("%d", i)
            .isInstanceOf(UndecodablePagesException.class);
      }
    }
  }

  private static CompressedForms usual(CompressionCodecName codec) {
    for (CompressedForms form : CompressedForms.values()) {
      if (form.codec() == codec && form.isPlain()) {
        return form;
      }
    }
    throw new IllegalArgumentException(codec.name());
  }

  private static void assertFound(CompressedForms form, ThrowingCallable check) {
    Throwable found = catchThrowable(check);
    if (form.isPlain()) {
      assertThat(found).isNull();
    } else {
      assertThat(found)
          .isInstanceOf(UndecodablePagesException.class)
          .hasMessageMatching(
              "a page is not one plain (gzip member|Zstandard frame|LZ4 block)|a page header makes no sense");
    }
  }
}
