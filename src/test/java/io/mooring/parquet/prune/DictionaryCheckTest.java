package io.mooring.parquet.prune;

import static org.apache.parquet.column.Encoding.PLAIN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mooring.parquet.files.ParquetFiles;
import io.mooring.parquet.footer.Footer;
import io.mooring.parquet.source.RequestCounts;
import io.mooring.parquet.source.UnchangedFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.column.ParquetProperties.WriterVersion;
import org.apache.parquet.column.page.DictionaryPage;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroupFactory;
import org.apache.parquet.filter2.dictionarylevel.DictionaryFilter;
import org.apache.parquet.filter2.predicate.FilterApi;
import org.apache.parquet.filter2.predicate.FilterPredicate;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.hadoop.metadata.ColumnPath;
import org.apache.parquet.hadoop.util.HadoopInputFile;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Types;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DictionaryCheckTest {
  private static final MessageType SCHEMA =
      MessageTypeParser.parseMessageType(
          "message m { required int32 i; optional int64 l; optional binary t (UTF8);"
              + " required fixed_len_byte_array(2) f; required int32 plain; }");
  private static final int ROWS = 2_000;
  private static final int VALUES = 60;
  private static final int PREDICATES = 500;
  private static final int MOST_ASKED = 5;

  @TempDir Path folder;

  private final long seed = System.nanoTime();
  private final Random random = new Random(seed);

  @Test
  void itDropsWhatParquetMrDrops() throws Exception {
    System.out.println("DictionaryCheckTest seed " + seed);
    Path path = folder.resolve("file.parquet");
    write(path);
    Footer footer = ParquetFiles.footer(path);
    BlockMetaData block = footer.rowGroups().get(0);
    Set<ColumnPath> allDictionary = allDictionary(block);
    assertThat(allDictionary).hasSize(4).doesNotContain(ColumnPath.get("plain"));
    int dropped = 0;
    try (ParquetFileReader reader =
            ParquetFileReader.open(
                HadoopInputFile.fromPath(
                    new org.apache.hadoop.fs.Path(path.toUri()), ParquetFiles.CONF));
        DictionaryPages own =
            new DictionaryPages(
                new UnchangedFile(ParquetFiles.at(path), ParquetFiles.CONF, RequestCounts.NONE),
                footer,
                ParquetFiles.CONF)) {
      for (int n = 0; n < PREDICATES; n++) {
        FilterPredicate predicate = predicate(2);
        FilterPredicate implied = Objects.requireNonNull(EqualityConjuncts.of(predicate));
        var pages = reader.getDictionaryReader(block);
        boolean ours = new DictionaryCheck(footer, own).remaining(List.of(0), implied).isEmpty();
        assertThat(ours)
            .as(predicate.toString())
            .isEqualTo(DictionaryFilter.canDrop(predicate, block.getColumns(), pages));
        dropped += ours ? 1 : 0;
      }
    }
    assertThat(dropped).isBetween(PREDICATES / 20, PREDICATES * 19 / 20);
  }

  /** Even values only, so that half of those asked for are missing. */
  private void write(Path path) throws Exception {
    var groups = new SimpleGroupFactory(SCHEMA);
    try (ParquetWriter<Group> writer =
        ExampleParquetWriter.builder(new org.apache.hadoop.fs.Path(path.toUri()))
            .withType(SCHEMA)
            .withConf(ParquetFiles.CONF)
            // The first version of the format has no dictionaries of fixed-length values.
            .withWriterVersion(WriterVersion.PARQUET_2_0)
            .withDictionaryEncoding(true)
            .withDictionaryEncoding("plain", false)
            .build()) {
      for (int row = 0; row < ROWS; row++) {
        Group group =
            groups
                .newGroup()
                .append("i", even())
                .append("f", Binary.fromConstantByteArray(new byte[] {1, (byte) even()}))
                .append("plain", even());
        if (random.nextBoolean()) {
          group.append("l", (long) even()).append("t", "t" + even());
        }
        writer.write(group);
      }
    }
  }

  private int even() {
    return 2 * random.nextInt(VALUES / 2);
  }

  private static Set<ColumnPath> allDictionary(BlockMetaData block) {
    return block.getColumns().stream()
        .filter(DictionaryPages::areAllOf)
        .map(ColumnChunkMetaData::getPath)
        .collect(Collectors.toSet());
  }

  private FilterPredicate predicate(int depth) {
    if (depth > 0 && random.nextInt(3) > 0) {
      return random.nextBoolean()
          ? FilterApi.and(predicate(depth - 1), predicate(depth - 1))
          : FilterApi.or(predicate(depth - 1), predicate(depth - 1));
    }
    Set<Integer> values =
        IntStream.rangeClosed(0, random.nextInt(MOST_ASKED))
            .mapToObj(i -> random.nextInt(VALUES))
            .collect(Collectors.toCollection(HashSet::new));
    int one = values.iterator().next();
    return switch (random.nextInt(7)) {
      case 0 -> FilterApi.eq(FilterApi.intColumn("i"), one);
      case 1 -> FilterApi.in(FilterApi.intColumn("i"), values);
      case 2 -> FilterApi.eq(FilterApi.longColumn("l"), (long) one);
      case 3 -> FilterApi.in(FilterApi.longColumn("l"), longs(values));
      case 4 -> FilterApi.in(FilterApi.binaryColumn("t"), texts(values));
      case 5 ->
          FilterApi.eq(
              FilterApi.binaryColumn("f"),
              Binary.fromConstantByteArray(new byte[] {1, (byte) one}));
      default -> FilterApi.eq(FilterApi.intColumn("plain"), one);
    };
  }

  @ParameterizedTest
  @EnumSource(
      value = PrimitiveTypeName.class,
      names = {"INT32", "INT64", "INT96", "BINARY", "FIXED_LEN_BYTE_ARRAY"})
  void aPageShorterThanItsEntriesIsAnError(PrimitiveTypeName type) {
    PrimitiveType column = Types.required(type).length(3).named("c");
    Set<?> values =
        switch (type) {
          case INT32 -> Set.of(7);
          case INT64 -> Set.of(7L);
          default -> Set.of(Binary.fromString("abc"));
        };
    var page = new DictionaryPage(BytesInput.from(new byte[] {3, 0, 0, 0, 'a', 'b'}), 4, PLAIN);
    assertThatThrownBy(() -> new DictionaryEntries(page, column).holdOneOf(values))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("does not fit");
  }

  private static Set<Long> longs(Set<Integer> values) {
    return values.stream().map(Integer::longValue).collect(Collectors.toSet());
  }

  private static Set<Binary> texts(Set<Integer> values) {
    return values.stream().map(value -> Binary.fromString("t" + value)).collect(Collectors.toSet());
  }
}
