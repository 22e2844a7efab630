package io.mooring.parquet.prune;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mooring.parquet.files.PagedFiles;
import io.mooring.parquet.files.ParquetFiles;
import io.mooring.parquet.footer.Footer;
import io.mooring.parquet.footer.Footers;
import io.mooring.parquet.unit.ReadUnit;
import io.mooring.parquet.unit.ScanCounters;
import io.mooring.parquet.unit.UnitPlanner;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.apache.parquet.filter2.predicate.FilterApi;
import org.apache.parquet.filter2.predicate.FilterPredicate;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.Util;
import org.apache.parquet.format.converter.ParquetMetadataConverter;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Page indexes that are not what a writer wrote: they are refused, or leave whole pages out. */
class PageIndexDamageTest {
  private static final List<String> COLUMNS = List.of("count", "name", "text");
  private static final int DAMAGES = 40;
  private static final FilterPredicate COUNT_IS_THREE =
      FilterApi.eq(FilterApi.intColumn("count"), 3);

  @TempDir Path folder;
  private final long seed = Long.getLong("mooring.test.seed", System.nanoTime());
  private final Random random = new Random(seed);
  private Path path;
  private Footer footer;

  @BeforeEach
  void write() throws Exception {
    System.out.println("PageIndexDamageTest seed " + seed);
    path = folder.resolve("paged.parquet");
    PagedFiles.writeLarge(path, random);
    Files.deleteIfExists(folder.resolve(".paged.parquet.crc"));
    footer = Footers.read(ParquetFiles.at(path));
  }

  @RepeatedTest(5)
  void damagedBytesNeverLeadOutsideTheChunks() throws Exception {
    byte[] whole = Files.readAllBytes(path);
    for (int i = 0; i < DAMAGES; i++) {
      Files.write(path, whole);
      damage();
      assertThat(kept(footer)).isSubsetOf(rowGroups());
      ReadUnit unit = unit(footer);
      ReadUnit sparse = sparse(unit);
      assertThat(sparse.ranges())
          .allMatch(
              range ->
                  unit.ranges().stream()
                      .anyMatch(all -> all.contains(range.offset(), range.length())));
      assertThat(sparse.sparseChunks().values())
          .allMatch(chunk -> chunk.length() <= unit.encodedBytes());
    }
  }

  /** A few bytes of the indexes become others. */
  private void damage() throws IOException {
    List<ColumnChunkMetaData> chunks =
        footer.rowGroups().get(0).getColumns().stream()
            .filter(chunk -> COLUMNS.contains(chunk.getPath().toDotString()))
            .toList();
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
      for (int i = 1 + random.nextInt(8); i > 0; i--) {
        ColumnChunkMetaData chunk = chunks.get(random.nextInt(chunks.size()));
        var index =
            random.nextBoolean()
                ? chunk.getColumnIndexReference()
                : chunk.getOffsetIndexReference();
        byte[] noise = {(byte) random.nextInt()};
        channel.write(
            ByteBuffer.wrap(noise), index.getOffset() + random.nextInt(index.getLength()));
      }
    }
  }

  private ReadUnit sparse(ReadUnit unit) throws Exception {
    int row = random.nextInt((int) unit.rows());
    try {
      return SkippablePages.read(unit, Set.of(), 0, ParquetFiles.CONF, new ScanCounters())
          .skipPages(rowGroup -> (from, to) -> from <= row && row < to);
    } catch (IOException | RuntimeException e) {
      return unit;
    }
  }

  private List<Integer> rowGroups() {
    return IntStream.range(0, footer.rowGroups().size()).boxed().toList();
  }

  private List<Integer> kept(Footer read) throws Exception {
    return new RowGroupPruner(
            ParquetFiles.at(path), read, COUNT_IS_THREE, ParquetFiles.CONF, new ScanCounters())
        .remaining(rowGroups());
  }

  private ReadUnit unit(Footer read) throws Exception {
    return new UnitPlanner(ParquetFiles.at(path), read, COLUMNS, Long.MAX_VALUE, 0)
        .plan(rowGroups())
        .get(0);
  }

  @ParameterizedTest
  @CsvSource({
    "-1, 100",
    "4, -1",
    "4, 2147483647",
    "9223372036854775807, 100",
    "9223372036854775700, 2147483647"
  })
  void offsetsOutsideTheFile_areRefusedBeforeAllocation(long offset, int length) throws Exception {
    Footer hostile =
        changed(
            chunk -> {
              chunk.setOffset_index_offset(offset).setOffset_index_length(length);
              chunk.setColumn_index_offset(offset).setColumn_index_length(length);
            });
    assertThat(kept(hostile)).isEqualTo(rowGroups());
    ReadUnit unit = unit(hostile);
    if (length > 0) {
      assertThatThrownBy(
              () -> SkippablePages.read(unit, Set.of(), 0, ParquetFiles.CONF, new ScanCounters()))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("outside the file");
    }
  }

  @Test
  void aFileWithoutPageIndexesIsReadWhole() throws Exception {
    Footer without =
        changed(
            chunk -> {
              chunk.unsetOffset_index_offset();
              chunk.unsetOffset_index_length();
              chunk.unsetColumn_index_offset();
              chunk.unsetColumn_index_length();
            });
    ScanCounters counters = new ScanCounters();
    assertThat(kept(without)).isEqualTo(rowGroups());
    SkippablePages pages =
        SkippablePages.read(unit(without), Set.of(), 0, ParquetFiles.CONF, counters);
    assertThat(pages.isEmpty()).isTrue();
    assertThat(counters.value(ScanCounters.Counter.PAGE_INDEX_BYTES)).isZero();
  }

  private Footer changed(Consumer<ColumnChunk> change) throws Exception {
    FileMetaData file = Util.readFileMetaData(new ByteArrayInputStream(footer.thrift()));
    file.getRow_groups().forEach(rowGroup -> rowGroup.getColumns().forEach(change));
    ByteArrayOutputStream thrift = new ByteArrayOutputStream();
    Util.writeFileMetaData(file, thrift);
    return new Footer(
        thrift.toByteArray(),
        new ParquetMetadataConverter().fromParquetMetadata(file),
        footer.middles());
  }
}
