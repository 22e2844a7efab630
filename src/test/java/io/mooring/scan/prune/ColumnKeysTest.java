package io.mooring.scan.prune;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.parquet.source.ParquetFile;
import io.mooring.parquet.unit.ReadUnit;
import io.mooring.scan.plan.FilePlan;
import io.mooring.scan.plan.FilePlanner;
import io.mooring.scan.plan.FileSchema;
import io.mooring.scan.split.FileSplit;
import io.mooring.session.ReadSettings;
import io.mooring.testing.ScanResults;
import io.mooring.testing.Sessions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Row groups and pages that are not read because they hold no key of a join; needs no GPU. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ColumnKeysTest {
  private static final StructType SCHEMA =
      StructType.fromDDL("`i-1` int, l bigint, d date, t string");
  private static final int ROW_GROUPS = 10;
  private static final int ROWS_OF_A_ROW_GROUP = 100;

  @TempDir static Path folder;

  private SparkSession spark;
  private FileSplit split;

  /** Values from -500 to 499 in their order, a tenth of them null. */
  @BeforeAll
  void start() throws Exception {
    Map<String, String> settings =
        Map.of("spark.mooring.pinnedPool.size", "0", "spark.mooring.scan.mergeDistance", "0");
    spark = Sessions.withPlugin(2, settings);
    Dataset<Row> rows =
        spark
            .range(-500, 500, 1, 1)
            .selectExpr(
                "if(id % 10 = 3, null, cast(id as int)) `i-1`",
                "id l", "date_add(date'1970-01-01', cast(id as int)) d", "cast(id as string) t");
    // The writer asks this often whether a row group is full, which it then always is.
    String often = Integer.toString(ROWS_OF_A_ROW_GROUP);
    split =
        write(
            rows,
            Map.of(
                "parquet.block.size", "1",
                "parquet.block.size.row.check.min", often,
                "parquet.block.size.row.check.max", often));
  }

  private static FileSplit write(Dataset<Row> rows, Map<String, String> options) throws Exception {
    Path table = Files.createTempDirectory(folder, "table");
    rows.write().mode("append").options(options).parquet(table.toString());
    String path = "file:" + ScanResults.firstParquetFile(table);
    Path file = Path.of(path.substring("file:".length()));
    long bytes = Files.size(file);
    long modified = Files.getLastModifiedTime(file).toMillis();
    return new FileSplit(
        new ParquetFile(path, bytes, modified), path, 0, bytes, InternalRow.empty(), new String[0]);
  }

  @AfterAll
  void stop() {
    spark.stop();
  }

  @ParameterizedTest
  @CsvSource({
    "-1000, 1000, 10",
    "-500, -401, 1",
    "-401, -400, 2",
    "0, 0, 1",
    "250, 1000, 3",
    "500, 600, 0",
    "1, 0, 0"
  })
  void onlyRowGroupsInTheRangeAreRead(long least, long greatest, int read) throws Exception {
    KeyRanges range = KeyRanges.between(least, greatest);
    for (String column : new String[] {"i-1", "l", "d"}) {
      FilePlan plan = plan(keys(column, range));
      assertThat(ROW_GROUPS - plan.pruned()).as(column).isEqualTo(read);
    }
  }

  @Test
  void rowGroupsBetweenKeysAreNotRead() throws Exception {
    KeyRanges keys = KeyRanges.of(new long[] {-499, -499, -498, -250, -120, 60, 499, 2000});
    for (String column : new String[] {"i-1", "l", "d"}) {
      FilePlan plan = plan(keys(column, keys));
      assertThat(ROW_GROUPS - plan.pruned()).as(column).isEqualTo(5);
    }
  }

  /** What row groups hold is compared with random keys: none with a key is left out. */
  @Test
  void onlyRowGroupsAroundRandomKeysAreRead() throws Exception {
    Random random = new Random(System.nanoTime());
    for (int round = 0; round < 20; round++) {
      long[] keys = random.longs(1 + random.nextInt(300), -700, 700).sorted().toArray();
      long read =
          LongStream.range(0, ROW_GROUPS)
              .map(rowGroup -> rowGroup * ROWS_OF_A_ROW_GROUP - 500)
              .filter(least -> anyWithin(keys, least, least + ROWS_OF_A_ROW_GROUP - 1))
              .count();
      for (String column : new String[] {"l", "d"}) {
        FilePlan plan = plan(keys(column, KeyRanges.of(keys)));
        assertThat(ROW_GROUPS - plan.pruned()).as("%s %s", column, keys).isEqualTo(read);
      }
    }
  }

  /** 40 keys, each 2,500 rows behind the one before, are in 40 pages of 100. */
  @Test
  void onlyPagesAroundKeysAreRead() throws Exception {
    Dataset<Row> rows =
        spark.range(0, 100_000, 1, 1).selectExpr("id l", "sha2(cast(id as string), 256) t");
    FileSplit pages =
        write(
            rows,
            Map.of(
                "parquet.page.row.count.limit", "1000",
                "parquet.page.size.row.check.min", "100",
                "parquet.page.size.row.check.max", "100"));
    long[] keys = LongStream.range(0, 40).map(i -> i * 2_500 + 7).toArray();
    StructType columns = StructType.fromDDL("l bigint, t string");
    long whole = bytes(plan(pages, columns));
    long some = bytes(plan(pages, columns, keys("l", KeyRanges.of(keys))));
    assertThat((double) some / whole).isBetween(0.35, 0.5);
  }

  private static long bytes(FilePlan plan) {
    return plan.units().stream().mapToLong(ReadUnit::encodedBytes).sum();
  }

  private static boolean anyWithin(long[] keys, long least, long greatest) {
    return LongStream.of(keys).anyMatch(key -> least <= key && key <= greatest);
  }

  /** Another calendar counts days before 1582-10-15: what is between their bounds is not known. */
  @Test
  void earlyDatesAreComparedWithTheirBoundsAlone() throws Exception {
    long early = LocalDate.of(1582, 10, 14).toEpochDay();
    assertThat(pruned("d", KeyRanges.of(new long[] {early, 450}))).isZero();
    assertThat(pruned("d", KeyRanges.of(new long[] {early + 1, 450}))).isEqualTo(ROW_GROUPS - 1);
  }

  @Test
  void othersThanWholeNumbersHaveNoRange() throws Exception {
    assertThat(pruned("t", KeyRanges.between(1, 2))).isZero();
    assertThat(pruned("t", KeyRanges.EMPTY)).isZero();
  }

  private long pruned(String column, KeyRanges ranges) throws Exception {
    return plan(keys(column, ranges)).pruned();
  }

  @Test
  void keysOfSeveralColumnsHoldTogether() throws Exception {
    ColumnKeys low = keys("i-1", KeyRanges.between(-500, -150));
    ColumnKeys high = keys("l", KeyRanges.of(new long[] {-250, 0, 500}));
    assertThat(plan(low, high).pruned()).isEqualTo(ROW_GROUPS - 1);
  }

  private static ColumnKeys keys(String column, KeyRanges ranges) {
    return ColumnKeys.of(column, SCHEMA.apply(column).dataType(), ranges);
  }

  private FilePlan plan(ColumnKeys... ofJoins) throws Exception {
    return plan(split, SCHEMA, ofJoins);
  }

  private FilePlan plan(FileSplit file, StructType columns, ColumnKeys... ofJoins)
      throws Exception {
    var conf = spark.sessionState().conf();
    PruningFilters filters =
        PruningFilters.of(conf, List.of()).with(List.of(ofJoins), PartitionKeys.NONE);
    return new FilePlanner(
            new FileSchema(columns, ""),
            ReadSettings.of(spark, Map.of()),
            filters,
            new Configuration())
        .plan(file);
  }
}
