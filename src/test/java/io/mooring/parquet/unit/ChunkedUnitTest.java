package io.mooring.parquet.unit;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.parquet.files.ParquetFiles;
import io.mooring.parquet.footer.Footer;
import io.mooring.parquet.footer.Footers;
import io.mooring.parquet.footer.UnreadableOnGpuException;
import io.mooring.parquet.source.ParquetFile;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.parquet.column.ParquetProperties.WriterVersion;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a unit that is decoded in chunks asks of the device; needs none. */
class ChunkedUnitTest {
  private static final int ROWS = 20_000;

  @TempDir Path folder;
  private final long seed = Long.getLong("mooring.test.seed", System.nanoTime());
  private final Random random = new Random(seed);
  private ParquetFile file;
  private Footer footer;

  @BeforeEach
  void write() throws Exception {
    System.out.println("ChunkedUnitTest seed " + seed);
    file = ParquetFiles.write(folder.resolve("a.parquet"), ROWS, 64 << 10);
    footer = Footers.read(file);
  }

  private ReadUnit unit(int rowGroups) throws UnreadableOnGpuException {
    List<Integer> some = IntStream.range(0, rowGroups).boxed().toList();
    List<String> columns = List.of("id", "text");
    return new UnitPlanner(file, footer, columns, Long.MAX_VALUE, 0).plan(some).get(0);
  }

  @Test
  void chunkedBeyond_oneLargeRowGroup_isChunked() throws Exception {
    ReadUnit unit = unit(1);
    long bytes = 1 + random.nextLong(unit.decodedBytes() - 1);
    ReadUnit chunked = unit.chunkedBeyond(bytes);
    assertThat(chunked.isChunked()).isTrue();
    assertThat(chunked.outputChunkBytes()).isEqualTo(bytes);
    assertThat(chunked).isEqualTo(unit.chunked(bytes));
    assertThat(chunked.chunked(unit.outputChunkBytes())).isEqualTo(unit);
  }

  @Test
  void chunkedBeyond_smallUnits_staysAsItIs() throws Exception {
    ReadUnit unit = unit(1);
    assertThat(unit.isChunked()).isFalse();
    assertThat(unit.chunkedBeyond(unit.decodedBytes())).isSameAs(unit);
    assertThat(unit.chunkedBeyond(Long.MAX_VALUE)).isSameAs(unit);
  }

  @Test
  void severalRowGroups_ofOneFile_canBeChunked() throws Exception {
    ReadUnit several = unit(footer.rowGroups().size());
    assertThat(several.rowGroups()).hasSizeGreaterThan(1);
    assertThat(several.chunkedBeyond(1)).isEqualTo(several.chunked(1));
    // A chunk does not say where one file ends.
    ReadUnit ofTwo = CoalescedUnit.of(List.of(several, several));
    assertThat(ofTwo.canBeChunked()).isFalse();
    assertThat(ofTwo.chunkedBeyond(1)).isSameAs(ofTwo);
    List<Integer> second = List.of(ofTwo.rowGroups().length - 2, ofTwo.rowGroups().length - 1);
    ReadUnit ofOne =
        new UnitPlanner(ofTwo.files(), ofTwo.footer(), ofTwo.columns(), Long.MAX_VALUE, 0)
            .plan(second)
            .get(0);
    assertThat(ofOne.chunkedBeyond(1).isChunked()).isTrue();
  }

  @Test
  void deviceBytes_ofAChunkedUnit_countsEncodedBytesAndChunks() throws Exception {
    ReadUnit unit = unit(1);
    long whole = unit.deviceBytes();
    long small = 1 + random.nextLong(unit.decodedBytes() / 100);
    long chunked = unit.chunked(small).deviceBytes();
    assertThat(chunked).isGreaterThan(unit.encodedBytes() + small).isLessThan(whole);
    assertThat(unit.chunked(2 * small).deviceBytes() - chunked).isBetween(2 * small, 4 * small);
    // A chunk larger than the row group needs no more than the row group.
    assertThat(unit.chunked(unit.decodedBytes()).deviceBytes())
        .isEqualTo(unit.chunked(10 * unit.decodedBytes()).deviceBytes());
  }

  @Test
  void deviceBytes_ofSeveralRowGroups_countsEncodedBytesTwice() throws Exception {
    long small = 1_000;
    ReadUnit several = unit(3);
    long one = unit(1).chunked(small).deviceBytes() - unit(1).encodedBytes();
    assertThat(several.chunked(small).deviceBytes()).isEqualTo(2 * several.encodedBytes() + one);
    ParquetFile other =
        ParquetFiles.write(
            folder.resolve("b.parquet"),
            ROWS,
            64 << 20,
            false,
            CompressionCodecName.ZSTD,
            WriterVersion.PARQUET_2_0,
            1_000);
    Footer zstd = Footers.read(other);
    ReadUnit atOnce =
        new UnitPlanner(other, zstd, List.of("id", "text"), Long.MAX_VALUE, 0)
            .plan(List.of(0))
            .get(0);
    assertThat(atOnce.chunked(small).deviceBytes())
        .isEqualTo(atOnce.encodedBytes() + atOnce.decodedBytes() + 2 * small);
  }
}
