package io.mooring.parquet.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.mooring.parquet.files.PagedFiles;
import io.mooring.parquet.files.ParquetFiles;
import io.mooring.parquet.footer.Footer;
import io.mooring.parquet.unit.ReadUnit;
import io.mooring.parquet.verify.DamagedPagesException;
import io.mooring.parquet.verify.PageChecks;
import io.mooring.testing.FileDamage;
import java.io.ByteArrayInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import org.apache.parquet.format.CompressionCodec;
import org.apache.parquet.format.DataPageHeaderV2;
import org.apache.parquet.format.DictionaryPageHeader;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.PageHeader;
import org.apache.parquet.format.PageType;
import org.apache.parquet.format.Util;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Damaged pages are found: each bit of their bodies, and of headers what a decoder believes. */
@Tag("extended")
@Tag("random")
class PageDamageTest {
  @TempDir Path folder;
  private final long seed = Long.getLong("mooring.test.seed", System.nanoTime());
  private final Random random = new Random(seed);

  /** A page as parquet-mr reads it. */
  private record Page(int start, int bodyStart, PageHeader header, ColumnChunkMetaData chunk) {
    int end() {
      return bodyStart + header.getCompressed_page_size();
    }
  }

  private static List<Page> pages(ReadUnit unit, byte[] file) throws Exception {
    List<Page> pages = new ArrayList<>();
    for (var rowGroup : unit.footer().rowGroups()) {
      for (ColumnChunkMetaData chunk : rowGroup.getColumns()) {
        int at = (int) chunk.getStartingPos();
        int end = at + (int) chunk.getTotalSize();
        while (at < end) {
          Page page = page(file, at, chunk);
          pages.add(page);
          at = page.end();
        }
      }
    }
    return pages;
  }

  /** The pages with a checksum: all, but for pages of version 2 that Spark 3.5 has written. */
  private static List<Page> summed(List<Page> pages) {
    boolean old = VerifiedUnits.ofSpark3();
    assertThat(pages)
        .allMatch(
            page ->
                page.header().isSetCrc()
                    || (old && page.header().getType() == PageType.DATA_PAGE_V2));
    return pages.stream().filter(page -> page.header().isSetCrc()).toList();
  }

  private static Page page(byte[] file, int at, ColumnChunkMetaData chunk) throws Exception {
    ByteArrayInputStream in = new ByteArrayInputStream(file, at, file.length - at);
    PageHeader header = Util.readPageHeader(in);
    return new Page(at, file.length - in.available(), header, chunk);
  }

  private byte[] small(Path path) throws Exception {
    PagedFiles.write(path, random, 150);
    return Files.readAllBytes(path);
  }

  @ParameterizedTest
  @MethodSource("io.mooring.testing.RandomCases#rounds")
  void everyFlippedByteOfABodyIsFound(int round) throws Exception {
    System.out.println("PageDamageTest seed " + seed);
    Path path = folder.resolve("bodies.parquet");
    byte[] file = small(path);
    ReadUnit unit = VerifiedUnits.whole(path);
    for (Page page : summed(pages(unit, file))) {
      for (int at = page.bodyStart(); at < page.end(); at += 1 + random.nextInt(30)) {
        flip(file, at);
        assertThatThrownBy(() -> VerifiedUnits.check(unit, PageChecks.CHECKSUMS, file))
            .as("byte %d", at)
            .isInstanceOf(DamagedPagesException.class)
            // The first bytes of values also tell the codec.
            .hasMessageMatching("1 page does not fit its checksum|a page header makes no sense");
        flip(file, at);
      }
    }
    VerifiedUnits.check(unit, PageChecks.CHECKSUMS, file);
  }

  private void flip(byte[] file, int at) {
    file[at] ^= (byte) (1 << (at % Byte.SIZE));
  }

  @ParameterizedTest
  @MethodSource("io.mooring.testing.RandomCases#rounds")
  void aFlippedHeaderIsFoundOrSaysTheSame(int round) throws Exception {
    System.out.println("PageDamageTest seed " + seed);
    Path path = folder.resolve("headers.parquet");
    byte[] file = small(path);
    ReadUnit unit = VerifiedUnits.whole(path);
    int found = 0;
    int harmless = 0;
    for (Page page : pages(unit, file)) {
      for (int at = page.start(); at < page.bodyStart(); at += 1 + random.nextInt(5)) {
        int bit = 1 << random.nextInt(Byte.SIZE);
        file[at] ^= (byte) bit;
        Throwable damage =
            catchThrowable(() -> VerifiedUnits.check(unit, PageChecks.STRUCTURE, file));
        if (damage == null) {
          harmless++;
          assertSaysTheSame(page, page(file, page.start(), page.chunk()));
        } else {
          found++;
          assertThat(damage)
              .isInstanceOf(DamagedPagesException.class)
              .hasMessage("a page header makes no sense");
        }
        file[at] ^= (byte) bit;
      }
    }
    System.out.println(found + " flips of headers found, " + harmless + " without effect");
    assertThat(found).isGreaterThan(harmless);
  }

  /** All that decides how many bytes are read and how. */
  private static void assertSaysTheSame(Page good, Page bad) {
    assertThat(bad.bodyStart()).isEqualTo(good.bodyStart());
    assertThat(essence(bad)).isEqualTo(essence(good));
  }

  /** Without what is not looked at, or cannot be known without the levels or the values. */
  private static String essence(Page page) {
    PageHeader essence = new PageHeader(page.header());
    essence.unsetCrc();
    PrimitiveType type = page.chunk().getPrimitiveType();
    if (essence.isSetData_page_header()) {
      essence.getData_page_header().unsetStatistics();
      essence.getData_page_header().setDefinition_level_encoding(Encoding.RLE);
      essence.getData_page_header().setRepetition_level_encoding(Encoding.RLE);
    } else if (essence.isSetData_page_header_v2()) {
      DataPageHeaderV2 data = essence.getData_page_header_v2();
      data.unsetStatistics();
      data.unsetIs_compressed();
    } else {
      DictionaryPageHeader dictionary = essence.getDictionary_page_header();
      dictionary.unsetIs_sorted();
      boolean isText = type.getPrimitiveTypeName() == PrimitiveTypeName.BINARY;
      dictionary.setNum_values(isText ? 0 : dictionary.getNum_values());
      dictionary.setEncoding(Encoding.PLAIN);
    }
    return essence.toString();
  }

  @ParameterizedTest
  @MethodSource("io.mooring.testing.RandomCases#rounds")
  void pagesThatSpanPiecesAreFoundToo(int round) throws Exception {
    System.out.println("PageDamageTest seed " + seed);
    Path path = folder.resolve("pieces.parquet");
    byte[] file = small(path);
    ReadUnit unit = VerifiedUnits.whole(path);
    List<Page> pages = summed(pages(unit, file));
    BitSet damaged = new BitSet();
    for (int i = pages.isEmpty() ? 0 : 1 + random.nextInt(3); i > 0; i--) {
      int page = random.nextInt(pages.size());
      int bytes = pages.get(page).header().getCompressed_page_size();
      if (bytes > 0 && !damaged.get(page)) {
        damaged.set(page);
        flip(file, pages.get(page).bodyStart() + random.nextInt(bytes));
      }
    }
    Throwable found = catchThrowable(() -> VerifiedUnits.checkInPieces(unit, random, 3, file));
    int count = damaged.cardinality();
    if (count == 0) {
      assertThat(found).isNull();
    } else {
      assertThat(found).isInstanceOf(DamagedPagesException.class);
      assertThat(found.getMessage()).matches(count + " pages? .*|a page header .*");
      assertThat(((DamagedPagesException) found).path()).endsWith("pieces.parquet");
    }
  }

  @ParameterizedTest
  @MethodSource("io.mooring.testing.RandomCases#rounds")
  void damageOfAnyKindIsTheSameErrorOrNone(int round) throws Exception {
    System.out.println("PageDamageTest seed " + seed);
    Path path = folder.resolve("any.parquet");
    byte[] good = small(path);
    ReadUnit unit = VerifiedUnits.whole(path);
    for (int i = 0; i < 20; i++) {
      byte[] bad = FileDamage.of(good, random);
      if (bad.length == good.length) {
        Throwable found =
            catchThrowable(() -> VerifiedUnits.check(unit, PageChecks.CHECKSUMS, bad));
        if (found != null) {
          assertThat(found).isInstanceOf(DamagedPagesException.class);
        }
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"GZIP, ZSTD", "ZSTD, LZ4_RAW", "ZSTD, GZIP", "GZIP, UNCOMPRESSED", "LZ4_RAW, ZSTD"})
  void aFooterThatNamesAnotherCodecIsFound(CompressionCodecName written, CompressionCodecName named)
      throws Exception {
    Path path = folder.resolve("codec.parquet");
    ParquetFiles.write(path, 500, 4 << 10, true, written);
    ReadUnit unit = VerifiedUnits.whole(path);
    FileMetaData footer =
        Util.readFileMetaData(new ByteArrayInputStream(unit.footer().thrift().clone()));
    footer
        .getRow_groups()
        .get(0)
        .getColumns()
        .get(0)
        .getMeta_data()
        .setCodec(CompressionCodec.valueOf(named.name()));
    Footer other = ParquetFiles.footer(unit.footer(), footer);
    ReadUnit wrong =
        new ReadUnit(
            unit.files(), other, unit.rowGroups(), unit.columns(), unit.ranges(), unit.rows(), 1);
    byte[] file = Files.readAllBytes(path);
    VerifiedUnits.check(unit, PageChecks.STRUCTURE, file);
    assertThatThrownBy(() -> VerifiedUnits.check(wrong, PageChecks.STRUCTURE, file))
        .hasMessage("a page header makes no sense");
  }
}
