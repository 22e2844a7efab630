package io.mooring.scan;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.parquet.files.ParquetFiles;
import io.mooring.parquet.footer.Footer;
import io.mooring.testing.RandomTables;
import io.mooring.testing.RequiresGpu;
import io.mooring.testing.ScanResults;
import io.mooring.testing.Sessions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every codec with every encoding and page version that Spark writes, in row groups and pages of
 * random size: all values are those that were written, and where there is a GPU, it read them.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EncodingMatrixTest {
  private static final int ROWS = 300;
  private static final int DISTINCT_ROWS = 12;
  private static final int[] ROW_GROUP_ROWS = {1, 2, 31, 32, 100, 299, 1000};
  // The one column of fixed-length byte arrays.
  private static final String FIXED_LENGTH = "a_decimal128";
  private static final int[] PAGE_BYTES = {64, 1 << 10, 1 << 20};

  @TempDir static Path folder;
  private final long seed = Long.getLong("mooring.test.seed", System.nanoTime());
  private final Random random = new Random(seed);
  private SparkSession spark;

  @BeforeAll
  void start() {
    System.out.println("EncodingMatrixTest seed " + seed);
    spark = Sessions.withPlugin(2, Map.of("spark.mooring.pinnedPool.size", "256m"));
  }

  @AfterAll
  void stop() {
    spark.stop();
  }

  static Stream<Arguments> files() {
    return Stream.of("none", "snappy", "gzip", "zstd", "lz4_raw")
        .flatMap(
            codec ->
                Stream.of("v1", "v2")
                    .flatMap(
                        version ->
                            Stream.of(true, false)
                                .map(dictionary -> Arguments.of(codec, version, dictionary))));
  }

  @ParameterizedTest
  @MethodSource("files")
  void everyValueIsTheOneWritten(String codec, String version, boolean dictionary)
      throws Exception {
    Path table = folder.resolve(codec + version + dictionary);
    List<Row> rows = dictionary ? repeatedRows() : rows(ROWS);
    Dataset<Row> written = spark.createDataFrame(rows, RandomTables.ALL_TYPES);
    written
        .coalesce(1)
        .write()
        .option("compression", codec)
        .option("parquet.writer.version", version)
        .option("parquet.enable.dictionary", dictionary)
        .option("parquet.block.row.count.limit", one(ROW_GROUP_ROWS))
        .option("parquet.page.size", one(PAGE_BYTES))
        .option("parquet.page.size.row.check.min", 1)
        .parquet(table.toString());
    assertThat(encodings(table)).containsAll(expected(version, dictionary));
    boolean trusted = version.equals("v1") || !codec.equals("none");
    useSparksBatches(trusted);
    var ours = spark.read().format("mooring").load(table.toString());
    ScanResults.assertSame(ours, written);
    useSparksBatches(trusted || RequiresGpu.Condition.gpuIsThere());
    String[] beyond = hasFixedLengthDeltas(table) ? new String[] {FIXED_LENGTH} : new String[0];
    // Read anew, because a plan keeps the settings that it was made with.
    ours = spark.read().format("mooring").load(table.toString()).drop(beyond);
    ScanResults.assertSame(ours, written.drop(beyond));
    ScanResults.assertReadByGpuAlone(ours);
  }

  private static boolean hasFixedLengthDeltas(Path table) throws Exception {
    return chunks(table)
        .anyMatch(
            chunk ->
                chunk.getPath().toDotString().equals(FIXED_LENGTH)
                    && chunk.getEncodings().contains(Encoding.DELTA_BYTE_ARRAY));
  }

  /** Spark 4.1 garbles uncompressed values of DELTA_BYTE_ARRAY, but not where it reads rows. */
  private void useSparksBatches(boolean use) {
    spark.conf().set("spark.sql.parquet.enableVectorizedReader", use);
  }

  private List<Row> rows(int count) {
    return new RandomTables(random.nextLong()).rows(count);
  }

  private List<Row> repeatedRows() {
    List<Row> few = rows(DISTINCT_ROWS);
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      rows.add(few.get(random.nextInt(few.size())));
    }
    return rows;
  }

  private int one(int[] values) {
    return values[random.nextInt(values.length)];
  }

  @SuppressWarnings("deprecation") // the first version's name for it
  private static Set<Encoding> expected(String version, boolean dictionary) {
    boolean v2 = version.equals("v2");
    if (dictionary) {
      return EnumSet.of(v2 ? Encoding.RLE_DICTIONARY : Encoding.PLAIN_DICTIONARY);
    }
    return v2
        ? EnumSet.of(Encoding.DELTA_BINARY_PACKED, Encoding.DELTA_BYTE_ARRAY, Encoding.PLAIN)
        : EnumSet.of(Encoding.PLAIN);
  }

  private static Set<Encoding> encodings(Path table) throws Exception {
    Set<Encoding> encodings = EnumSet.noneOf(Encoding.class);
    chunks(table).forEach(chunk -> encodings.addAll(chunk.getEncodings()));
    return encodings;
  }

  private static Stream<ColumnChunkMetaData> chunks(Path table) throws Exception {
    Footer footer = ParquetFiles.footer(ScanResults.firstParquetFile(table));
    return footer.rowGroups().stream().flatMap(rowGroup -> rowGroup.getColumns().stream());
  }
}
