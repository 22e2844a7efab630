package io.mooring.scan.estimate;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.spark.plan.ScanPattern;
import io.mooring.testing.Sessions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.datasources.HadoopFsRelation;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What footers of files that Spark writes tell of the number of values. */
class FooterEstimateTest {
  private static final long ROWS = 40_000;

  @TempDir static Path folder;

  private static SparkSession spark;

  @BeforeAll
  static void start() {
    spark = Sessions.transparent(folder.resolve("warehouse"), Map.of());
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  @Test
  void dictionariesTellTheOrderOfMagnitude() {
    write("dictionaries", rows("concat('part ', id % 150) p", "id % 60 i", "id / 100 d"), Map.of());
    assertThat(values("dictionaries", "p")).isBetween(75.0, 300.0);
    assertThat(values("dictionaries", "P")).isEqualTo(values("dictionaries", "p"));
    assertThat(values("dictionaries", "i")).isBetween(30.0, 60.0);
    assertThat(values("dictionaries", "d")).isBetween(ROWS / 2.0, (double) ROWS);
  }

  @Test
  void withoutADictionaryThereAreAsManyAsValues() {
    write(
        "plain",
        rows("concat('p', id % 5) p", "if(id % 2 = 0, md5(string(id)), null) h"),
        Map.of("parquet.enable.dictionary", "false"));
    assertThat(values("plain", "p")).isEqualTo(ROWS);
    assertThat(values("plain", "h")).isEqualTo(ROWS / 2.0);
  }

  @Test
  void chunksThatFellBackToPlainAreAsManyAsValues() {
    String mixed = "if(id < 20000, concat('p', id % 5), md5(string(id))) m";
    write("mixed", rows(mixed), Map.of("parquet.dictionary.page.size", "20000"));
    assertThat(values("mixed", "m")).isBetween(ROWS / 2.0, (double) ROWS);
  }

  @Test
  void integersAndDatesHaveNoMoreValuesThanTheirRange() {
    write(
        "ranges",
        rows("date_add(date'2020-01-01', int(id % 365)) d", "id % 90 + 1000000 i", "id k"),
        Map.of("parquet.enable.dictionary", "false"));
    assertThat(values("ranges", "d")).isEqualTo(365);
    assertThat(values("ranges", "i")).isEqualTo(90);
    assertThat(values("ranges", "k")).isEqualTo(ROWS);
  }

  /** Ten rows each, side by side: every further file has keys of its own. */
  @Test
  void keysThatRepeatSeldomGrowWithTheFiles() {
    write(
        "growing",
        spark.range(0, ROWS, 1, 4).selectExpr("concat('key ', id div 10) k", "id % 4 f"),
        Map.of());
    assertThat(values("growing", "k")).isBetween(ROWS / 20.0, ROWS / 5.0);
    assertThat(values("growing", "f")).isBetween(1.0, 4.0);
  }

  @Test
  void columnsTakeTheirPartOfTheBytes() {
    write(
        "parts",
        rows("id % 2 flag", "sha2(string(id), 512) comment", "named_struct('a', id, 'b', id) s"),
        Map.of("parquet.enable.dictionary", "false"));
    FooterEstimate parts = Objects.requireNonNull(read("parts"));
    assertThat(parts.share(List.of("comment"))).isBetween(0.7, 0.95);
    assertThat(parts.share(List.of("COMMENT", "s", "flag"))).isEqualTo(1);
    assertThat(parts.share(List.of("s"))).isBetween(0.05, 0.3);
    assertThat(parts.share(List.of("flag"))).isLessThan(0.05);
    assertThat(parts.share(List.of("none"))).isZero();
  }

  @Test
  void otherFilesHaveAsManyRowsForEachByteAsTheLargest() {
    write("several", spark.range(0, ROWS, 1, 4).selectExpr("id", "md5(string(id)) h"), Map.of());
    double rows = Objects.requireNonNull(read("several")).rows();
    assertThat(rows).isBetween(ROWS * 0.95, ROWS * 1.05);
  }

  @Test
  void foldersAreNoMoreThanFiles() {
    rows("id % 3 p", "id").write().partitionBy("p").parquet(path("folders"));
    assertThat(values("folders", "p")).isEqualTo(3);
  }

  @Test
  void nothingIsKnownOfOtherColumns() {
    write("nested", rows("named_struct('a', id % 7) s", "array(id % 7) l", "id"), Map.of());
    FooterEstimate nested = Objects.requireNonNull(read("nested"));
    assertThat(
            List.of(
                nested.distinct("s"),
                nested.distinct("a"),
                nested.distinct("l"),
                nested.distinct("none")))
        .containsOnly(OptionalDouble.empty());
  }

  @Test
  void filesThatCannotBeReadTellNothing() throws Exception {
    write("gone", rows("id % 5 p"), Map.of());
    HadoopFsRelation relation = relation(spark.read().parquet(path("gone")));
    try (var files = Files.newDirectoryStream(folder.resolve("gone"), "*.parquet")) {
      for (Path file : files) {
        Files.delete(file);
      }
    }
    assertThat(FooterEstimate.of(relation, List.of())).isNull();
  }

  private static Dataset<Row> rows(String... columns) {
    return spark.range(0, ROWS, 1, 1).selectExpr(columns);
  }

  private static void write(String name, Dataset<Row> rows, Map<String, String> options) {
    rows.write().options(options).parquet(path(name));
  }

  private static String path(String name) {
    return folder.resolve(name).toString();
  }

  private static double values(String name, String column) {
    return Objects.requireNonNull(read(name)).distinct(column).orElseThrow();
  }

  private static @Nullable FooterEstimate read(String name) {
    return FooterEstimate.of(relation(spark.read().parquet(path(name))), List.of());
  }

  private static HadoopFsRelation relation(Dataset<Row> data) {
    return Objects.requireNonNull(ScanPattern.find(data.queryExecution().optimizedPlan())).files();
  }
}
