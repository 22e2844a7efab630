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
  private static final int LARGE_ROW = 100_000;

  @TempDir static Path folder;
  private static SparkSession spark;

  @BeforeAll
  static void start() {
    spark = Sessions.transparent(folder.resolve("warehouse"), Map.of());
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

  /** Two files of texts that do not get smaller. */
  private static void write(String name, int bytesOfARow) {
    spark
        .range(0, ROWS, 1, 2)
        .selectExpr("id", "repeat('x', " + bytesOfARow + ") as text")
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
