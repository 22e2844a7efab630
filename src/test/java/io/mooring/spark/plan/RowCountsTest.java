package io.mooring.spark.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.testing.Sessions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Estimates of rows are near the truth for tables whose rows are much longer than Spark assumes.
 */
class RowCountsTest {
  private static final int ROWS = 800;
  private static final int LARGE_ROW = 100_000;

  @TempDir static Path folder;
  private static SparkSession spark;

  @BeforeAll
  static void start() {
    // INT96 has no statistics.
    spark =
        Sessions.transparent(
            folder.resolve("warehouse"),
            Map.of("spark.sql.parquet.outputTimestampType", "TIMESTAMP_MICROS"));
    write("large", LARGE_ROW);
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  @Test
  void aFooterTellsTheRowsOfALargeTable() {
    assertThat(rows(spark.read().parquet(path("large")))).isBetween(ROWS * 0.9, ROWS * 1.1);
  }

  @Test
  void aFooterTellsTheBytesOfColumns() {
    LogicalPlan relation = plan(spark.read().parquet(path("large")));
    ScanPattern pattern = Objects.requireNonNull(ScanPattern.find(relation));
    List<Attribute> columns = RowEstimates.outputOf(relation);
    RowCounts counts = new RowCounts();
    double all = counts.columnBytes(relation, pattern, columns);
    assertThat(all).isGreaterThan((double) ROWS * LARGE_ROW);
    assertThat(counts.columnBytes(relation, pattern, columns.subList(0, 1)))
        .isBetween(1.0, all / 1000);
  }

  @Test
  void noFooterIsReadOfASmallTable() {
    write("small", LARGE_ROW / 10);
    assertThat(rows(spark.read().parquet(path("small")))).isGreaterThan(ROWS * 100.0);
  }

  @Test
  void withoutAReadableFooterTheBytesTell() throws Exception {
    Path damaged = Files.createDirectory(folder.resolve("damaged"));
    try (var files = Files.newDirectoryStream(folder.resolve("large"), "*.parquet")) {
      for (Path file : files) {
        Files.write(damaged.resolve(file.getFileName()), new byte[(int) Files.size(file)]);
      }
    }
    assertThat(rows(spark.read().schema("text string").parquet(path("damaged"))))
        .isGreaterThan(ROWS * 100.0);
  }

  /** The files have footers, which Spark's reader of the format would not look at either. */
  @Test
  void noFooterIsReadOfOtherFormats() {
    assertThat(rows(spark.read().schema("text string").json(path("large"))))
        .isGreaterThan(ROWS * 100.0);
  }

  @ParameterizedTest
  @CsvSource({
    "day < date'2020-01-26', 0.5",
    "date'2020-01-26' > day, 0.5",
    "day >= date'2020-01-26' and day < date'2020-02-05' and name <> 'x', 0.25",
    "time between timestamp'2020-01-01 00:00:00' and timestamp'2020-01-21 00:00:00', 0.4",
    "day < date'2020-01-06', 0.25",
    "time_ntz < timestamp_ntz'2020-01-26 00:00:00', 0.5",
    "day = date'2020-01-10', 1",
    "none < date'1975-01-01', 1",
    "day < date'2020-01-26' and time < timestamp'2020-01-26 00:00:00', 0.25",
    "day > date'2020-01-01', 1",
    // Times of other files, of no year, or compared with a column or something else than a time.
    "day > date'2030-01-01', 1",
    "never < date'2020-01-26', 1",
    "day < never, 1",
    "id < 10, 1",
    "day + interval 1 day < date'2020-01-26', 1"
  })
  void rangesOfTimesKeepTwiceTheirPart(String condition, double part) {
    assertThat(rows(spark.read().parquet(path("large")).where(condition)))
        .isBetween(ROWS * part * 0.9, ROWS * part * 1.1);
  }

  @Test
  void aColumnBelowAProjectionIsThatOfTheFile() {
    Dataset<Row> data = spark.read().parquet(path("large")).selectExpr("never as day", "id");
    assertThat(rows(data.where("day < date'2020-01-26'"))).isGreaterThan(ROWS * 0.9);
  }

  @Test
  void aFooterTellsTheGroupsOfALargeTable() {
    Dataset<Row> large = spark.read().parquet(path("large"));
    assertThat(rows(large.groupBy("decade").count())).isBetween(ROWS * 0.09, ROWS * 0.11);
    assertThat(rows(large.groupBy("id").count())).isBetween(ROWS * 0.9, ROWS * 1.1);
  }

  @Test
  void conditionsOnResultsKeepAThirdOfTheGroups() {
    Dataset<Row> groups = spark.read().parquet(path("large")).groupBy("id").count();
    assertThat(rows(groups.where("count > 1"))).isBetween(ROWS * 0.3, ROWS * 0.36);
    assertThat(rows(groups.where("count is not null"))).isGreaterThan(ROWS * 0.9);
    // Optimized, this is a filter of the rows.
    assertThat(rows(groups.where("id > 1"))).isGreaterThan(ROWS * 0.9);
  }

  @Test
  void filtersOnPartitionsKeepTheirFiles() {
    spark
        .range(0, 10_000, 1, 1)
        .selectExpr("id", "if(id < 8000, 'many', 'few') part", "id % 2 half")
        .write()
        .partitionBy("part", "half")
        .parquet(path("partitioned"));
    Dataset<Row> all = spark.read().parquet(path("partitioned"));
    spark.udf().register("own", (UDF1<String, Boolean>) RowCountsTest::fail, DataTypes.BooleanType);
    double rows = rows(all);
    assertThat(rows(all.where("part = 'many'"))).isBetween(rows * 0.6, rows * 0.9);
    assertThat(rows(all.where("part = 'many' and half = 1 and id > 5")))
        .isBetween(rows * 0.3, rows * 0.45);
    assertThat(rows(all.where("part = 'none'"))).isZero();
    assertThat(rows(all.where("part = 'many' or id > 5"))).isEqualTo(rows);
    assertThat(rows(all.where("own(part)"))).isEqualTo(rows);
    assertThat(rows(all.where("raise_error(part) is null"))).isEqualTo(rows);
    assertThat(rows(all.where("reflect('java.lang.Integer', 'valueOf', part) = 'x'")))
        .isEqualTo(rows);
    assertThat(rows(all.selectExpr("string(id) part").where("part = 'none'"))).isEqualTo(rows);
  }

  private static boolean fail(String value) {
    throw new IllegalStateException("a user's function is called for " + value);
  }

  /** Two files of texts that do not get smaller. */
  private static void write(String name, int bytesOfARow) {
    spark
        .range(0, ROWS, 1, 2)
        .selectExpr(
            "id",
            "id div 10 as decade",
            "string(id) as name",
            "date_add(date'2020-01-01', int(id % 101)) as day",
            "timestamp'2020-01-01 00:00:00' + make_dt_interval(int(id % 101)) as time",
            "timestamp_ntz'2020-01-01 00:00:00' + make_dt_interval(int(id % 101)) as time_ntz",
            "if(id % 101 = 0, date'9999-12-31', date_add(date'2020-01-01', int(id % 101))) never",
            "if(id % 101 = 0, date'1970-01-01', date_add(date'2020-01-01', int(id % 101))) none",
            "repeat('x', " + bytesOfARow + ") as text")
        .write()
        .option("compression", "uncompressed")
        .option("parquet.enable.dictionary", "false")
        .parquet(path(name));
  }

  private static String path(String name) {
    return folder.resolve(name).toString();
  }

  private static double rows(Dataset<Row> data) {
    return new RowCounts().rows(plan(data));
  }

  private static LogicalPlan plan(Dataset<Row> data) {
    return data.queryExecution().optimizedPlan();
  }
}
