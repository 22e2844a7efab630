package io.mooring.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.mooring.datasource.PlannedScan;
import io.mooring.testing.RequiresGpu;
import io.mooring.testing.ScanResults;
import io.mooring.testing.Sessions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.HashMap;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What prunes row groups, and what must not; needs no GPU. */
@Tag("extended")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RowGroupPruningCasesTest {
  private static final int ROW_GROUPS = 5;
  private static final int ROW_GROUP_ROWS = 100;

  @TempDir static Path folder;
  private final Map<String, Dataset<Row>> zeros = new HashMap<>();
  private SparkSession spark;

  @BeforeAll
  void start() {
    spark =
        Sessions.withPlugin(
            2,
            Map.of(
                "spark.mooring.pinnedPool.size", "64m",
                "spark.sql.parquet.outputTimestampType", "TIMESTAMP_MICROS"));
  }

  @AfterAll
  void stop() {
    spark.stop();
  }

  /** One file whose columns are made of the row's number, {@code id}. */
  private Dataset<Row> table(String name, String column, String... options) {
    // The writers before Spark 4.1 cut row groups by bytes alone.
    assumeThat(spark.version()).isGreaterThanOrEqualTo("4.1");
    String path = folder.resolve(name).toString();
    var writer = spark.range(0, ROW_GROUPS * ROW_GROUP_ROWS, 1, 1).selectExpr("id", column).write();
    for (int i = 0; i < options.length; i += 2) {
      writer.option(options[i], options[i + 1]);
    }
    writer.mode("overwrite").option("parquet.block.row.count.limit", ROW_GROUP_ROWS).parquet(path);
    return spark.read().format("mooring").load(path);
  }

  private static int pruned(Dataset<Row> query) throws Exception {
    return PlannedScan.of(query).pruned();
  }

  @Test
  void dictionariesPruneWhereStatisticsCannot() throws Exception {
    Dataset<Row> table = table("dictionary", "id % 10 * 2 as even");
    assertThat(pruned(table.filter("even = 7"))).isEqualTo(ROW_GROUPS);
    assertThat(pruned(table.filter("even in (7, 9, 11)"))).isEqualTo(ROW_GROUPS);
    assertThat(pruned(table.filter("even = 7 and id + even > 3"))).isEqualTo(ROW_GROUPS);
    assertThat(pruned(table.filter("even = 8"))).isZero();
    assertThat(pruned(table.filter("even = 7 or id + even > 3"))).isZero();
    PlannedScan nothing = PlannedScan.of(table.filter("even = 7"));
    assertThat(nothing.rowGroups()).isEmpty();
    assertThat(nothing.plans()).hasSize(1).allMatch(plan -> plan.rows() == 0);
  }

  @Test
  void bloomFiltersPruneWhereThereIsNoDictionary() throws Exception {
    String[] options = {
      "parquet.enable.dictionary", "false",
      "parquet.bloom.filter.enabled#spread", "true",
      "parquet.bloom.filter.expected.ndv#spread", "100"
    };
    Dataset<Row> table = table("bloom", "concat('v', id * 7919 % 1000) as spread", options);
    assertThat(pruned(table.filter("spread = 'v51x'"))).isPositive();
    assertThat(pruned(table.filter("spread = 'v" + 450 * 7919 % 1000 + "'")))
        .isBetween(1, ROW_GROUPS - 1);
    Dataset<Row> without =
        table("no-bloom", "concat('v', id * 7919 % 1000) as spread", options[0], options[1]);
    assertThat(pruned(without.filter("spread = 'v51x'"))).isZero();
  }

  @Test
  void zerosOfBothSignsAreEqual() throws Exception {
    Dataset<Row> table = table("zero", "if(id % 2 = 0, double('-0.0'), 1.0D) as zero");
    assertThat(pruned(table.filter("zero = 0.0D"))).isZero();
    assertThat(pruned(table.filter("zero = 2.0D"))).isEqualTo(ROW_GROUPS);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "zero = 0.0D",
        "zero = -0.0D",
        "zero <= -0.0D",
        "zero >= 0.0D",
        "zero <=> -0.0D",
        "zero in (-0.0D, 5.0D)",
        "not (zero < 0.0D)",
        "not (zero <> -0.0D)",
        "zero between 0.0D and -0.0D"
      })
  void rowsWithEitherZeroAreRead(String condition) {
    for (String zero : new String[] {"0.0", "-0.0"}) {
      Dataset<Row> table =
          zeros.computeIfAbsent(zero, it -> table("zero" + it, "double('" + it + "') as zero"));
      assertThat(table.filter(condition).count()).isEqualTo(ROW_GROUPS * ROW_GROUP_ROWS);
    }
  }

  @Test
  void aFileThatIsNotTheListedOneIsNotAsked() throws Exception {
    Dataset<Row> table = table("changed", "id % 10 * 2 as even");
    Path file = ScanResults.firstParquetFile(folder.resolve("changed"));
    Dataset<Row> query = table.filter("even = 7");
    assertThat(pruned(query)).isEqualTo(ROW_GROUPS);
    long later = Files.getLastModifiedTime(file).toMillis() + 5000;
    Files.setLastModifiedTime(file, FileTime.fromMillis(later));
    assertThat(pruned(table.filter("even = 7"))).isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "spark.sql.parquet.filterPushdown, id < 100",
    "spark.sql.parquet.filterPushdown.date, value < date'1970-01-11'",
    "spark.sql.parquet.filterPushdown.timestamp, moment < timestamp'1970-01-01 00:00:01'",
    "spark.sql.parquet.filterPushdown.decimal, amount < 10.00",
    "spark.sql.parquet.filterPushdown.stringPredicate, text like 'a10%'"
  })
  void sparksSettingsAreObeyed(String key, String filter) throws Exception {
    String column =
        switch (filter.substring(0, filter.indexOf(' '))) {
          case "value" -> "date_from_unix_date(cast(id as int)) as value";
          case "moment" -> "timestamp_seconds(id) as moment";
          case "amount" -> "cast(id as decimal(12, 2)) as amount";
          default -> "concat('a', 1000 + id) as text";
        };
    Dataset<Row> table = table(key, column);
    assertThat(pruned(table.filter(filter))).isEqualTo(ROW_GROUPS - 1);
    spark.conf().set(key, "false");
    try {
      assertThat(pruned(table.filter(filter))).isZero();
    } finally {
      spark.conf().unset(key);
    }
  }

  @Test
  void columnsAreFoundInTheCaseSensitivityOfTheSession() throws Exception {
    Dataset<Row> table = table("case", "id as Name");
    assertThat(pruned(table.filter("nAME < 10"))).isEqualTo(ROW_GROUPS - 1);
  }

  @Test
  void halfOfAnOrPrunesNothing() {
    Dataset<Row> ours = table("or", "-id as negative");
    Dataset<Row> sparks = spark.read().parquet(folder.resolve("or").toString());
    String filter = "id < 10 or id + negative = 0";
    ScanResults.assertSame(ours.filter(filter), sparks.filter(filter));
    assertThat(ours.filter(filter).count()).isEqualTo(ROW_GROUPS * ROW_GROUP_ROWS);
  }

  @Test
  void millisecondsAreNotRoundedToPrune() throws Exception {
    spark.conf().set("spark.sql.parquet.outputTimestampType", "TIMESTAMP_MILLIS");
    try {
      Dataset<Row> table = table("millis", "timestamp_millis(1000) as moment");
      String later = "moment < timestamp'1970-01-01 00:00:01.0005'";
      assertThat(pruned(table.filter(later))).isZero();
    } finally {
      spark.conf().set("spark.sql.parquet.outputTimestampType", "TIMESTAMP_MICROS");
    }
  }

  @Test
  void aPartitionsValueHoldsOverTheFilesOwnColumn() throws Exception {
    Path table = folder.resolve("overlap");
    spark.range(0, 10, 1, 1).selectExpr("id", "7 as part").write().parquet(table + "/part=1");
    Dataset<Row> ours = spark.read().format("mooring").load(table.toString());
    assertThat(pruned(ours.filter("part = 1"))).isZero();
    assertThat(ours.filter("part = 1").count()).isEqualTo(10);
    assertThat(ours.filter("part = 1 and id > 4").count()).isEqualTo(5);
  }

  @Test
  @RequiresGpu
  void theGpuReadsWhatIsLeft() {
    Dataset<Row> first = table("left", "id as same").filter("id < 100");
    assertThat(ScanResults.rows(first)).hasSize(ROW_GROUP_ROWS);
    assertThat(ScanResults.metric(first, "rowGroupsPruned")).isEqualTo(ROW_GROUPS - 1);
    assertThat(ScanResults.metric(first, "rowGroupsRead")).isEqualTo(1);
    assertThat(ScanResults.metric(first, "cpuFiles")).isZero();
  }

  @Test
  void whereNothingIsLeftThereIsStillAnAggregate() {
    Sessions.with(
        spark,
        "spark.mooring.sql.pushdown",
        "always",
        () -> {
          Dataset<Row> none = table("none", "id as same").filter("id < 0");
          assertThat(ScanResults.rows(none.selectExpr("count(*)", "sum(same)")))
              .containsExactly("[0, null]");
          assertThat(ScanResults.rows(none.groupBy("same").count())).isEmpty();
        });
  }
}
