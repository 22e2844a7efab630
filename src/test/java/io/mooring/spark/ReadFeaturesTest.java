package io.mooring.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mooring.testing.Answers;
import io.mooring.testing.ScanResults;
import io.mooring.testing.Sessions;
import io.mooring.testing.WithAndWithout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.commons.io.FileUtils;
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
import org.junit.jupiter.params.provider.ValueSource;

/** What Spark's Parquet scans can do beyond reading columns, through Mooring. */
@Tag("extended")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ReadFeaturesTest {
  @TempDir static Path folder;
  private SparkSession spark;

  @BeforeAll
  void start() {
    spark = Sessions.transparent(folder.resolve("warehouse"), Map.of());
  }

  @AfterAll
  void stop() {
    spark.stop();
  }

  private String path(String name) {
    return folder.resolve(name).toString();
  }

  @ParameterizedTest
  @ValueSource(strings = {"true", "false"})
  void schemasAreMergedOrNot(String merge) {
    String path = path("merge-" + merge);
    spark.range(10).selectExpr("id", "id as a").write().parquet(path + "/p=1");
    spark.range(10).selectExpr("id", "cast(id as string) as b").write().parquet(path + "/p=2");
    WithAndWithout.run(spark, () -> spark.read().option("mergeSchema", merge).parquet(path))
        .assertOurs();
  }

  /** Spark knows the columns of partitions that a refresh no longer finds. */
  @ParameterizedTest
  @ValueSource(strings = {"*", "p", "max(p), count(*)", "id"})
  void partitionsThatAreGone_haveNoRows(String columns) throws IOException {
    Path table = folder.resolve("gone-" + columns.length());
    spark.range(10).selectExpr("id", "id % 2 p").write().partitionBy("p").parquet(table.toString());
    spark.read().parquet(table.toString()).createOrReplaceTempView("gone");
    FileUtils.deleteDirectory(table.toFile());
    spark.catalog().refreshTable("gone");
    WithAndWithout.run(spark, "select " + columns + " from gone where p >= 0 or p is null");
  }

  /** Values of other partition columns must not be taken for those of the table's. */
  @ParameterizedTest
  @CsvSource({"'', id", "p, p", "q, '*'", "'p,q', id", "'p,q', count(*)"})
  void partitionsByOtherColumns_failAsInSpark(String by, String columns) throws IOException {
    Path table = folder.resolve("other-" + by + columns.length());
    Dataset<Row> rows = spark.range(10).selectExpr("id", "id % 2 p", "id % 3 q");
    rows.drop("p").write().partitionBy("q").parquet(table.toString());
    spark.read().parquet(table.toString()).createOrReplaceTempView("other");
    FileUtils.deleteDirectory(table.toFile());
    if (by.isEmpty()) {
      rows.write().parquet(table.toString());
    } else {
      rows.write().partitionBy(by.split(",")).parquet(table.toString());
    }
    spark.catalog().refreshTable("other");
    String query = "select " + columns.replace("p", "q") + " from other where q >= 0";
    assertThat(Answers.difference(spark, query, Answers.of(spark, query))).isEmpty();
  }

  @Test
  void theInputFileIsKnown() {
    String path = path("input");
    spark.range(100).repartition(3).write().parquet(path);
    WithAndWithout.run(
            spark,
            "select input_file_name() as f, input_file_block_start(), input_file_block_length(),"
                + " count(*), sum(id) from parquet.`"
                + path
                + "` group by 1, 2, 3")
        .assertOurs();
  }

  @ParameterizedTest
  @CsvSource({"true, true", "true, false", "false, true", "false, false"})
  void missingFilesAreIgnoredOrNot(boolean ignore, boolean byOption) throws IOException {
    String path = path("missing-" + ignore + byOption);
    spark.range(100).repartition(4).write().parquet(path);
    Dataset<Row> read =
        byOption
            ? spark.read().option("ignoreMissingFiles", ignore).parquet(path)
            : spark.read().parquet(path);
    Files.delete(ScanResults.firstParquetFile(Path.of(path)));
    Sessions.with(
        spark,
        "spark.sql.files.ignoreMissingFiles",
        String.valueOf(ignore && !byOption),
        () -> {
          if (ignore) {
            WithAndWithout.run(spark, () -> read.select("id")).assertOurs();
          } else {
            assertThatThrownBy(() -> read.select("id").collect())
                .hasStackTraceContaining("does not exist");
          }
        });
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void corruptFilesAreIgnoredOrNot(boolean ignore) throws IOException {
    String path = path("corrupt-" + ignore);
    spark.range(100).repartition(4).write().parquet(path);
    Files.writeString(Path.of(path, "part-x.parquet"), "this is no Parquet file");
    Dataset<Row> read =
        spark.read().schema("id bigint").option("ignoreCorruptFiles", ignore).parquet(path);
    if (ignore) {
      WithAndWithout.run(spark, () -> read.select("id")).assertOurs();
    } else {
      assertThatThrownBy(() -> read.select("id").collect()).hasMessageContaining("part-x.parquet");
    }
  }

  @Test
  void namesAreMatchedInTheSessionsCase() {
    String path = path("case");
    spark
        .range(10)
        .selectExpr("id as Id", "id % 2 as Odd")
        .write()
        .partitionBy("Odd")
        .parquet(path);
    WithAndWithout.run(
            spark, () -> spark.read().schema("ID bigint, ODD int").parquet(path).where("odd = 1"))
        .assertOurs();
    Sessions.with(
        spark,
        "spark.sql.caseSensitive",
        "true",
        () ->
            WithAndWithout.run(
                    spark, () -> spark.read().schema("ID bigint, Id bigint").parquet(path))
                .assertOurs());
  }

  @Test
  void addedColumnsHaveTheirDefaults() {
    spark.sql("create table defaults (k bigint) using parquet");
    spark.sql("insert into defaults select id from range(10)");
    spark.sql("alter table defaults add column (v int default 42, w string default 'x')");
    spark.sql("insert into defaults values (11, 1, 'y')");
    WithAndWithout both = WithAndWithout.run(spark, "select * from defaults").assertOurs();
    assertThat(both.ours().where("v = 42 and w = 'x'").count()).isEqualTo(10);
  }

  @ParameterizedTest
  @CsvSource({
    "LEGACY, TIMESTAMP_MICROS",
    "CORRECTED, TIMESTAMP_MICROS",
    "LEGACY, INT96",
    "CORRECTED, INT96"
  })
  void oldCalendarsAreRebased(String mode, String type) {
    String path = path("rebase-" + mode + type);
    Sessions.with(
        spark,
        Map.of(
            "spark.sql.parquet.outputTimestampType",
            type,
            "spark.sql.parquet.datetimeRebaseModeInWrite",
            mode,
            "spark.sql.parquet.int96RebaseModeInWrite",
            mode),
        () ->
            spark
                .sql(
                    "select date'1001-01-01' as d, timestamp'1500-02-03 04:05:06' as t, 1 as one"
                        + " union all select date'2020-01-01', timestamp'2021-02-03 04:05:06', 2")
                .write()
                .parquet(path));
    WithAndWithout.run(spark, "select * from parquet.`" + path + "`").assertOurs();
  }

  @Test
  void fixedAndBoundedStringsArePadded() {
    spark.sql("create table chars (c char(5), v varchar(5)) using parquet");
    spark.sql("insert into chars values ('ab', 'ab'), ('abcde', 'abcde'), (null, null)");
    WithAndWithout.run(spark, "select *, length(c), length(v) from chars where c = 'ab'")
        .assertOurs();
  }

  @Test
  void filesAreChosenByOptions() {
    String path = path("chosen");
    spark.range(10).write().parquet(path + "/deep/deeper");
    spark.range(5).write().mode("append").parquet(path + "/deep");
    WithAndWithout.run(
            spark, () -> spark.read().option("recursiveFileLookup", "true").parquet(path))
        .assertOurs();
    WithAndWithout.run(
            spark,
            () ->
                spark
                    .read()
                    .schema("id bigint")
                    .option("pathGlobFilter", "*.nothing")
                    .parquet(path + "/deep"))
        .assertOurs();
  }

  @Test
  void aWriteThenARefreshShowsTheNewFiles() {
    String path = path("refreshed");
    spark.range(10).write().parquet(path);
    spark.sql("create table refreshed (id bigint) using parquet location '" + path + "'");
    assertThat(WithAndWithout.run(spark, "select * from refreshed").assertOurs().ours().count())
        .isEqualTo(10);
    spark.range(10, 30).write().mode("append").parquet(path);
    spark.sql("refresh table refreshed");
    WithAndWithout both = WithAndWithout.run(spark, "select * from refreshed").assertOurs();
    assertThat(both.ours().count()).isEqualTo(30);
  }
}
