package io.mooring.parquet.prune;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mooring.parquet.files.ParquetFiles;
import io.mooring.parquet.footer.Footer;
import io.mooring.parquet.source.ParquetFile;
import io.mooring.parquet.source.RequestCounts;
import io.mooring.parquet.source.UnchangedFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroupFactory;
import org.apache.parquet.filter2.predicate.FilterApi;
import org.apache.parquet.filter2.predicate.FilterPredicate;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DictionaryPagesTest {
  private static final MessageType SCHEMA =
      MessageTypeParser.parseMessageType(
          "message m { required int32 dense; required int32 sparse; required int64 missing;"
              + " required binary text (UTF8); }");
  private static final int ROWS = 20_000;
  private static final int VALUES = 3_000;
  private static final int STEP = 10;
  private static final int NOT_THERE = VALUES / 2;

  @TempDir Path folder;
  private Path path;

  @BeforeEach
  void write() throws Exception {
    write(CompressionCodecName.SNAPPY);
  }

  /** All values but one of a range, values far from each other, and texts. */
  private void write(CompressionCodecName codec) throws Exception {
    path = Files.createTempDirectory(folder, "table").resolve(codec + ".parquet");
    var groups = new SimpleGroupFactory(SCHEMA);
    try (ParquetWriter<Group> writer =
        ExampleParquetWriter.builder(new org.apache.hadoop.fs.Path(path.toUri()))
            .withType(SCHEMA)
            .withConf(ParquetFiles.CONF)
            .withCompressionCodec(codec)
            .build()) {
      for (int row = 0; row < ROWS; row++) {
        int value = (int) ((row * 7919L) % VALUES);
        int other = value == NOT_THERE ? 0 : value;
        writer.write(
            groups
                .newGroup()
                .append("dense", value)
                .append("sparse", value * STEP)
                .append("missing", (long) other)
                .append("text", "text " + value));
      }
    }
  }

  private static FilterPredicate is(String column, int value) {
    return FilterApi.eq(FilterApi.intColumn(column), value);
  }

  private static boolean drops(ParquetFile file, Footer footer, FilterPredicate predicate)
      throws IOException {
    FilterPredicate equality = EqualityConjuncts.of(predicate);
    UnchangedFile unchanged = new UnchangedFile(file, ParquetFiles.CONF, RequestCounts.NONE);
    try (var pages = new DictionaryPages(unchanged, footer, ParquetFiles.CONF)) {
      return new DictionaryCheck(footer, pages).remaining(List.of(0), equality).isEmpty();
    }
  }

  private boolean drops(FilterPredicate predicate) throws Exception {
    return drops(ParquetFiles.at(path), ParquetFiles.footer(path), predicate);
  }

  private Set<Long> read() throws Exception {
    return ParquetFiles.footer(path).dictionaryEntries().keySet();
  }

  private ColumnChunkMetaData chunk(int column) throws Exception {
    return ParquetFiles.footer(path).rowGroups().get(0).getColumns().get(column);
  }

  @ParameterizedTest
  @EnumSource(
      value = CompressionCodecName.class,
      names = {"UNCOMPRESSED", "SNAPPY", "GZIP", "ZSTD"})
  void valuesBetweenThoseOfADictionaryAreRuledOut(CompressionCodecName codec) throws Exception {
    write(codec);
    assertThat(drops(is("sparse", STEP + 1))).isTrue();
    assertThat(drops(is("sparse", STEP))).isFalse();
    var text = FilterApi.binaryColumn("text");
    assertThat(drops(FilterApi.eq(text, Binary.fromString("text -")))).isTrue();
    assertThat(read()).contains(chunk(1).getStartingPos(), chunk(3).getStartingPos());
  }

  @Test
  void aDictionaryThatHoldsItsWholeRangeIsNotRead() throws Exception {
    assertThat(drops(is("dense", NOT_THERE))).isFalse();
    assertThat(drops(FilterApi.eq(FilterApi.longColumn("missing"), (long) NOT_THERE))).isFalse();
    assertThat(read()).isEmpty();
  }

  @Test
  void manyValuesAreHardlyAllMissing() throws Exception {
    Set<Integer> many = IntStream.range(0, VALUES).boxed().collect(Collectors.toSet());
    assertThat(drops(FilterApi.in(FilterApi.intColumn("sparse"), many))).isFalse();
    assertThat(read()).isEmpty();
  }

  @Test
  void theNumberOfEntriesIsKnownFromThenOn() throws Exception {
    assertThat(DictionaryCheck.DictionaryCoverage.mayPay(chunk(1), -1, 1)).isTrue();
    assertThat(drops(is("sparse", 1))).isTrue();
    assertThat(ParquetFiles.footer(path).dictionaryEntries())
        .containsEntry(chunk(1).getStartingPos(), VALUES);
    assertThat(DictionaryCheck.DictionaryCoverage.mayPay(chunk(1), VALUES * STEP, 1)).isFalse();
  }

  @Test
  void alternativesReadADictionaryOnceAndSmallOnesComeFirst() throws Exception {
    var either = FilterApi.or(is("sparse", 1), FilterApi.or(is("sparse", 2), is("sparse", STEP)));
    assertThat(EqualityConjuncts.of(either))
        .isEqualTo(FilterApi.in(FilterApi.intColumn("sparse"), Set.of(1, 2, STEP)));
    var text = FilterApi.eq(FilterApi.binaryColumn("text"), Binary.fromString("text -"));
    assertThat(drops(FilterApi.and(text, is("sparse", 1)))).isTrue();
    assertThat(read()).containsExactly(chunk(1).getStartingPos());
  }

  @Test
  void aDamagedDictionaryRulesOutNothing() throws Exception {
    byte[] bytes = Files.readAllBytes(path);
    bytes[Math.toIntExact(chunk(1).getFirstDataPageOffset() - 1)] ^= 1;
    Path damaged = Files.write(folder.resolve("damaged.parquet"), bytes);
    Footer footer = ParquetFiles.footer(damaged);
    assertThatThrownBy(() -> drops(ParquetFiles.at(damaged), footer, is("sparse", 1)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("checksum");
  }

  @Test
  void aFileThatWasWrittenAgainRulesOutNothing() throws Exception {
    ParquetFile listed = ParquetFiles.at(path);
    Footer footer = ParquetFiles.footer(path);
    Files.write(path, new byte[(int) listed.length() + 1]);
    assertThatThrownBy(() -> drops(listed, footer, is("sparse", 1)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("written again");
  }
}
