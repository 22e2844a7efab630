package io.mooring.scan.prune;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.mooring.testing.ScanResults;
import io.mooring.testing.Sessions;
import java.nio.file.Path;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A file of {@code int} in a table of {@code bigint}, and filters on values that no int holds. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class WidenedIntegersTest {
  @TempDir static Path folder;
  private SparkSession spark;
  private Dataset<Row> ints;

  @BeforeAll
  void start() {
    spark = Sessions.withPlugin(2, Map.of("spark.mooring.pinnedPool.size", "64m"));
    // 705032704 is what is left of 5000000000 in 32 bits, and alone in its row group.
    ints =
        spark
            .range(0, 300, 1, 1)
            .selectExpr("cast(if(id < 100, 705032704, id) as int) as c", "id as v");
    ints.write()
        .option("parquet.block.row.count.limit", 100)
        .parquet(folder.resolve("ints").toString());
  }

  @AfterAll
  void stop() {
    spark.stop();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "c not in (1, 5000000000)",
        "c not in (5000000000, 1)",
        "not (c in (1, 5000000000) or c = 250)",
        "c <> 5000000000",
        "c in (150, 5000000000)"
      })
  void valuesThatTheFileCannotHoldAreComparedAllTheSame(String filter) {
    // Before version 4 Spark reads no int as a bigint.
    assumeThat(spark.version()).doesNotStartWith("3.");
    Dataset<Row> all =
        spark
            .read()
            .schema("c bigint, v bigint")
            .format("mooring")
            .load(folder.resolve("ints").toString());
    // From the values themselves, because Spark's own reader loses some.
    assertThat(ScanResults.rows(all.filter(filter)))
        .isEqualTo(ScanResults.rows(ints.selectExpr("cast(c as bigint) as c", "v").filter(filter)));
  }
}
