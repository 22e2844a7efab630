package io.mooring.parquet.unit;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.parquet.files.ParquetFiles;
import io.mooring.parquet.footer.Footer;
import io.mooring.parquet.prune.SkippablePages;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.parquet.column.ParquetProperties.WriterVersion;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroupFactory;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which units which of libcudf's readers decodes in chunks; needs no GPU. */
class ChunkedDecodingTest {
  private static final ChunkedDecoding HYBRID = new ChunkedDecoding(true, true);
  private static final ChunkedDecoding FILE_OF_FEW_PAGES = new ChunkedDecoding(false, true);
  private static final ChunkedDecoding FILE = new ChunkedDecoding(false, false);
  private static final MessageType NESTED =
      MessageTypeParser.parseMessageType(
          "message m { required int64 id; optional group pair { optional int64 one; }"
              + " repeated int64 many; }");
  private static final int PAGE_ROWS = 500;
  private static final long ONE_ROW_GROUP = 64 << 20;

  @TempDir Path folder;

  private ChunkedDecoding reading(boolean dictionary, CompressionCodecName codec, String version)
      throws Exception {
    return ChunkedDecoding.of(unit(dictionary, codec, version, ONE_ROW_GROUP));
  }

  private ReadUnit unit(
      boolean dictionary, CompressionCodecName codec, String version, long rowGroupBytes)
      throws Exception {
    Path path = folder.resolve(dictionary + "-" + codec + version + rowGroupBytes);
    WriterVersion writer = WriterVersion.fromString(version);
    ParquetFiles.write(path, 5_000, rowGroupBytes, dictionary, codec, writer, PAGE_ROWS);
    return unit(path, List.of("text", "id"));
  }

  private static ReadUnit unit(Path path, List<String> columns) throws Exception {
    Footer footer = ParquetFiles.footer(path);
    List<Integer> all = IntStream.range(0, footer.rowGroups().size()).boxed().toList();
    return new UnitPlanner(ParquetFiles.at(path), footer, columns, Long.MAX_VALUE, 0)
        .plan(all)
        .get(0);
  }

  @Test
  void oneRowGroupOfFlatColumns_needsNoFile() throws Exception {
    for (CompressionCodecName codec :
        List.of(CompressionCodecName.SNAPPY, CompressionCodecName.ZSTD)) {
      assertThat(reading(false, codec, "v1")).isEqualTo(HYBRID);
      assertThat(reading(true, codec, "v1")).isEqualTo(HYBRID);
    }
  }

  @Test
  void severalRowGroups_needFiles() throws Exception {
    ReadUnit unit = unit(false, CompressionCodecName.SNAPPY, "v1", 16 << 10);
    assertThat(unit.rowGroups()).hasSizeGreaterThan(1);
    assertThat(ChunkedDecoding.of(unit)).isEqualTo(FILE_OF_FEW_PAGES);
  }

  @Test
  void deltaPages_areDecompressedAtOnce() throws Exception {
    ReadUnit unit = unit(false, CompressionCodecName.SNAPPY, "v2", ONE_ROW_GROUP);
    ReadUnit numbers = unit(folder.resolve("false-SNAPPYv2" + ONE_ROW_GROUP), List.of("id"));
    assertThat(ChunkedDecoding.of(numbers)).isEqualTo(FILE);
    assertThat(numbers.canBeChunked()).isTrue();
    // No unit with strings in deltas is decoded in chunks.
    assertThat(unit.canBeChunked()).isFalse();
  }

  @Test
  void zstdPagesOfVersion2_areDecompressedAtOnce() throws Exception {
    Path path = folder.resolve("repeated");
    write(path, CompressionCodecName.ZSTD, WriterVersion.PARQUET_2_0);
    assertThat(ChunkedDecoding.of(unit(path, List.of("id")))).isEqualTo(FILE);
    write(path.resolveSibling("snappy"), CompressionCodecName.SNAPPY, WriterVersion.PARQUET_2_0);
    assertThat(ChunkedDecoding.of(unit(path.resolveSibling("snappy"), List.of("id"))))
        .isEqualTo(HYBRID);
  }

  @Test
  void listPages_areDecompressedAtOnce_structPagesAreNot() throws Exception {
    Path path = folder.resolve("nested");
    write(path, CompressionCodecName.SNAPPY, WriterVersion.PARQUET_1_0);
    assertThat(ChunkedDecoding.of(unit(path, List.of("id")))).isEqualTo(HYBRID);
    assertThat(ChunkedDecoding.of(unit(path, List.of("id", "pair")))).isEqualTo(FILE_OF_FEW_PAGES);
    assertThat(ChunkedDecoding.of(unit(path, List.of("id", "many")))).isEqualTo(FILE);
  }

  /** Writes values whose dictionary is kept in either version. */
  private static void write(Path path, CompressionCodecName codec, WriterVersion version)
      throws IOException {
    try (ParquetWriter<Group> writer =
        ExampleParquetWriter.builder(new org.apache.hadoop.fs.Path(path.toUri()))
            .withType(NESTED)
            .withConf(ParquetFiles.CONF)
            .withCompressionCodec(codec)
            .withWriterVersion(version)
            .build()) {
      for (int i = 0; i < 1_000; i++) {
        Group row = new SimpleGroupFactory(NESTED).newGroup().append("id", i % 9L);
        row.addGroup("pair").append("one", i % 7L);
        writer.write(row.append("many", i % 5L).append("many", i % 3L));
      }
    }
  }

  @Test
  void placeholderPages_areOfVersion2() throws Exception {
    ReadUnit zstd = unit(false, CompressionCodecName.ZSTD, "v1", ONE_ROW_GROUP);
    assertThat(ChunkedDecoding.of(sparse(zstd))).isEqualTo(FILE);
    ReadUnit snappy = unit(false, CompressionCodecName.SNAPPY, "v1", ONE_ROW_GROUP);
    assertThat(ChunkedDecoding.of(sparse(snappy))).isEqualTo(HYBRID);
  }

  private static ReadUnit sparse(ReadUnit unit) throws Exception {
    ReadUnit sparse =
        SkippablePages.read(unit, Set.of("id"), 0, ParquetFiles.CONF, new ScanCounters())
            .skipPages(rowGroup -> (from, to) -> from == 0);
    assertThat(sparse.sparseChunks()).isNotEqualTo(Map.of());
    return sparse;
  }

  @Test
  void passReadLimit_ofLargeChunks_addsTheEncodedBytes() {
    long encoded = 5 << 20;
    long small = 100 << 20;
    long large = 300 << 20;
    for (ChunkedDecoding bounded : List.of(HYBRID, FILE_OF_FEW_PAGES)) {
      assertThat(bounded.passReadLimit(small, encoded)).isEqualTo(small);
      assertThat(bounded.passReadLimit(large, encoded)).isEqualTo(large + encoded);
    }
    // To libcudf 0 is no limit.
    assertThat(FILE.passReadLimit(small, encoded)).isZero();
  }
}
