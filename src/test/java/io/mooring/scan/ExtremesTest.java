package io.mooring.scan;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.stage.Stages;
import io.mooring.testing.RequiresGpu;
import io.mooring.testing.ScanResults;
import io.mooring.testing.Sessions;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
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
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Minima and maxima that do not follow from the order of values alone. */
@Tag("extended")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ExtremesTest {
  private static final int GROUPS = 20_000;
  private static final int ROWS_OF_GROUP = 10;

  @TempDir static Path folder;
  private SparkSession spark;

  @BeforeAll
  void start() {
    spark =
        Sessions.withPlugin(
            2,
            Map.of(
                "spark.mooring.pinnedPool.size", "64m",
                "spark.mooring.sql.pushdown", "always",
                "spark.sql.files.openCostInBytes", "0"));
    // The rows of a group lie all over the files; one in five is a zero of either sign, or NaN.
    write("oneFile", 1);
    write("severalFiles", 7);
  }

  private void write(String table, int files) {
    spark
        .range(0, (long) GROUPS * ROWS_OF_GROUP, 1, files)
        .selectExpr(
            "id % " + GROUPS + " as k",
            // No literals: Spark 3.5 takes those of both zeros in one CASE for each other.
            "case pmod(hash(id), 5) when 0 then double(id - id) * -1 when 1 then double(id - id) when 2"
                + " then double('NaN') when 3 then null else hash(id, 1) % 3 + 0.5D end as d",
            "case pmod(hash(id, 2), 5) when 0 then float(id - id) * float(-1) when 1 then"
                + " float(id - id) when 2 then float('NaN') else float(hash(id, 3) % 2) end as f",
            "if(id % 2 = 0, -0.0D, double(id)) as negative")
        .write()
        .option("parquet.block.row.count.limit", 3_000)
        .parquet(path(table));
  }

  private static String path(String table) {
    return folder.resolve(table).toString();
  }

  @AfterAll
  void stop() {
    spark.stop();
  }

  private Dataset<Row> assertSame(String query, String table) {
    Dataset<Row> ours = spark.sql(query.replace("%s", "mooring.`" + path(table) + "`"));
    ScanResults.assertSame(ours, spark.sql(query.replace("%s", "parquet.`" + path(table) + "`")));
    return ours;
  }

  private static List<String> extremesThatMayBeZeros() {
    return List.of(
        "select k, min(d), max(d), min(f), max(f), count(d) from %s group by k",
        "select k % 7, min(d), max(d), min(f), max(f) from %s where d <> 0.5D group by k % 7",
        "select min(d), max(d), min(f), max(f) from %s",
        "select min(abs(d)), max(-abs(d)) from %s",
        "select min(d), max(f) from %s where d = 0 and f = 0",
        "select min(d), min(f) from %s where d = double('NaN')",
        "select max(if(d > 0, null, d)), min(case when f >= 0 then f end) from %s");
  }

  /** In one task Spark meets the rows in the order of the file, and keeps the first zero. */
  @ParameterizedTest
  @MethodSource("extremesThatMayBeZeros")
  void zerosOfOneTaskAreSparks(String query) {
    assertSame(query, "oneFile");
  }

  @ParameterizedTest
  @MethodSource("extremesThatMayBeZeros")
  void zerosOfOneTaskAreSparksInStages(String query) {
    inStages(() -> assertThat(Stages.of(assertSame(query, "oneFile"))).isNotEmpty());
  }

  private void inStages(Runnable work) {
    Sessions.with(
        spark,
        Map.of("spark.mooring.sql.pushdown", "never", "spark.mooring.sql.stages", "always"),
        work);
  }

  /** What tasks found is put together in no order: only the value is known, not its sign. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "select k, min(d) + 0.0D, max(d) + 0.0D, min(f) + float(0), max(f) + float(0) from %s group by k",
        "select min(d) + 0.0D, max(d) + 0.0D, min(f) + float(0), max(f) + float(0) from %s"
      })
  void zerosOfSeveralTasksAreEqualToSparks(String query) {
    Sessions.with(
        spark,
        "spark.sql.files.maxPartitionBytes",
        "100000",
        () -> assertSame(query, "severalFiles"));
  }

  @Test
  @RequiresGpu
  void zerosOfOneSignAreNoReasonToLeaveTheGpu() {
    Dataset<Row> ours = assertSame("select k, min(negative) from %s group by k", "oneFile");
    ScanResults.assertReadByGpuAlone(ours);
    ScanResults.assertReadByGpuAlone(assertSame("select min(negative) from %s", "oneFile"));
    inStages(
        () ->
            Stages.assertOnGpuAlone(
                assertSame("select k, min(negative) from %s group by k", "oneFile")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select min(s), max(s), count(*) from %s",
        "select k, min(s), max(s) from %s group by k",
        "select min(s) from %s where k = 1",
        "select k, min(s) from %s where k < 3 group by k",
        "select min(s), max(s) from %s where s is null",
        "select k, min(if(k = 1, s, null)), max(case when k = 2 then s end) from %s group by k"
      })
  void stringsThatAreNotUtf8AreComparedByTheirBytes(String query) {
    // All of group 1 are greater than every string in UTF-8; the least of group 2 is libcudf's
    // greatest.
    if (!folder.resolve("bytes").toFile().exists()) {
      spark
          .sql(
              "select k, cast(unhex(h) as string) as s from values (0, ''), (0, '61'), (0, 'FF'),"
                  + " (1, 'F8'), (1, 'FFFE'), (1, 'F8FF'), (1, null), (2, 'F7BFBFBF'), (2, 'F7BFBFBFBF'),"
                  + " (3, 'F7BFBFBF'), (3, '80'), (4, null), (5, 'FF'), (6, 'EFBFBF') t(k, h)")
          .coalesce(1)
          .write()
          .parquet(path("bytes"));
    }
    Dataset<Row> ours = spark.sql(query.replace("%s", "mooring.`" + path("bytes") + "`"));
    Dataset<Row> sparks = spark.sql(query.replace("%s", "parquet.`" + path("bytes") + "`"));
    assertThat(hex(ours)).isEqualTo(hex(sparks));
  }

  /** Texts that are not UTF-8 look alike once they are decoded. */
  private static List<String> hex(Dataset<Row> data) {
    String[] columns =
        Arrays.stream(data.columns()).map(name -> "hex(`" + name + "`)").toArray(String[]::new);
    return ScanResults.rows(data.selectExpr(columns));
  }
}
