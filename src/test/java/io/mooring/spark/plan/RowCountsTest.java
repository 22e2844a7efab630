package io.mooring.spark.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.testing.Sessions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Estimates of rows are near the truth for tables whose rows are much longer than Spark assumes.
 */
class RowCountsTest {
  private static final int ROWS = 800;

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
  void aFooterTellsTheRowsOfALargeTable() {
    write("large", 100_000);
    assertThat(rows("large")).isBetween(ROWS * 0.9, ROWS * 1.1);
  }

  @Test
  void noFooterIsReadOfASmallTable() {
    write("small", 10_000);
    assertThat(rows("small")).isGreaterThan(ROWS * 100.0);
  }

  @Test
  void withoutAReadableFooterTheBytesTell() throws Exception {
    write("damaged", 100_000);
    try (var files = Files.newDirectoryStream(folder.resolve("damaged"), "*.parquet")) {
      for (Path file : files) {
        Files.write(file, new byte[(int) Files.size(file)]);
      }
    }
    assertThat(rows("damaged")).isGreaterThan(ROWS * 100.0);
  }

  @Test
  void aFooterTellsTheBytesOfColumns() {
    String path = folder.resolve("columns").toString();
    spark
        .range(0, ROWS, 1, 2)
        .selectExpr("id", "repeat('x', 100000) as text")
        .write()
        .option("compression", "uncompressed")
        .option("parquet.enable.dictionary", "false")
        .parquet(path);
    LogicalPlan relation = spark.read().parquet(path).queryExecution().optimizedPlan();
    ScanPattern pattern = Objects.requireNonNull(ScanPattern.find(relation));
    List<Attribute> columns = RowEstimates.outputOf(relation);
    RowCounts counts = new RowCounts();
    double all = counts.columnBytes(relation, pattern, columns);
    assertThat(all).isGreaterThan(ROWS * 100_000.0);
    assertThat(counts.columnBytes(relation, pattern, columns.subList(0, 1)))
        .isBetween(1.0, all / 1000);
  }

  @Test
  void noFooterIsReadOfOtherFormats() {
    String path = folder.resolve("json").toString();
    spark.range(0, ROWS, 1, 2).selectExpr("repeat('x', 100000) as text").write().json(path);
    double rows =
        new RowCounts()
            .rows(spark.read().schema("text string").json(path).queryExecution().optimizedPlan());
    assertThat(rows).isGreaterThan(ROWS * 100.0);
  }

  /** Two files of texts that do not get smaller. */
  private static void write(String name, int bytesOfARow) {
    spark
        .range(0, ROWS, 1, 2)
        .selectExpr("repeat('x', " + bytesOfARow + ") as text")
        .write()
        .option("compression", "uncompressed")
        .option("parquet.enable.dictionary", "false")
        .parquet(folder.resolve(name).toString());
  }

  private static double rows(String name) {
    return new RowCounts()
        .rows(
            spark
                .read()
                .schema("text string")
                .parquet(folder.resolve(name).toString())
                .queryExecution()
                .optimizedPlan());
  }
}
