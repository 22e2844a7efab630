package io.mooring.scan.prune;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.mooring.testing.ScanResults;
import io.mooring.testing.Sessions;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Files whose decimals are narrower than the table's, and filters on values in between. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DecimalFiltersTest {
  @TempDir static Path folder;
  private SparkSession spark;

  @BeforeAll
  void start() {
    spark = Sessions.withPlugin(2, Map.of("spark.mooring.pinnedPool.size", "64m"));
  }

  @AfterAll
  void stop() {
    spark.stop();
  }

  @ParameterizedTest
  @CsvSource({"true, 4", "true, 8", "false, 4", "false, 8"})
  void valuesThatTheFileCannotHoldAreComparedAllTheSame(boolean fixedLength, int digits) {
    // Before version 4 Spark widens no decimals that are integers in the file.
    assumeThat(fixedLength || !spark.version().startsWith("3.")).isTrue();
    String path = folder.resolve("narrow-" + fixedLength + digits).toString();
    spark.conf().set("spark.sql.parquet.writeLegacyFormat", fixedLength);
    spark
        .range(100)
        .selectExpr("cast(id / 2.0 as decimal(" + digits + ", 2)) as `d-1`")
        .write()
        .parquet(path);
    for (String filter :
        List.of(
            "`d-1` < 60280849.41",
            "`d-1` > -60280849.41",
            "`d-1` in (1.50, 60280849.41)",
            "`d-1` = 42949674.46 or `d-1` = 3.00",
            "`d-1` <> 12345678.90")) {
      Dataset<Row> all = spark.read().schema("`d-1` decimal(10, 2)").format("mooring").load(path);
      assertThat(ScanResults.rows(all.filter(filter))).as(filter).isEqualTo(expected(filter));
    }
  }

  /** From the values themselves, because Spark's own reader loses some, or throws. */
  private List<String> expected(String filter) {
    return ScanResults.rows(
        spark.range(100).selectExpr("cast(id / 2.0 as decimal(10, 2)) as `d-1`").filter(filter));
  }
}
