package io.mooring.scan;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.testing.RandomTables;
import io.mooring.testing.RequiresGpu;
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

/** Many small files, decoded together on the GPU, against Spark's own reader. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@RequiresGpu
class CoalescedScanTest {
  private static final long SEED = Long.getLong("mooring.test.seed", System.nanoTime());
  private static final int FILES = 40;
  private static final int ROWS = 4_000;

  @TempDir static Path folder;
  private SparkSession spark;

  @BeforeAll
  void start() {
    System.out.println("CoalescedScanTest seed " + SEED);
    spark =
        Sessions.withPlugin(
            2,
            Map.of(
                "spark.mooring.pinnedPool.size", "256m",
                "spark.mooring.sql.pushdown", "always",
                "spark.mooring.scan.coalesceSize", "64m"));
    spark
        .createDataFrame(new RandomTables(SEED).rows(ROWS), RandomTables.ALL_TYPES)
        .selectExpr("*", "a_byte % 3 as part")
        .repartition(FILES / 4)
        .write()
        .option("parquet.block.row.count.limit", 100)
        .partitionBy("part")
        .parquet(table());
  }

  @AfterAll
  void stop() {
    spark.stop();
  }

  private static String table() {
    return folder.resolve("table").toString();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select * from %s",
        "select a_string, a_decimal128, part, input_file_name() from %s",
        "select *, input_file_name() from %s where an_int > 0",
        "select part, input_file_block_start() from %s where a_double > 0 or a_string is null",
        "select a_binary from %s where a_byte = 5 and part = 2",
        "select count(*), sum(a_short), max(a_string), min(a_timestamp) from %s",
        "select count(*), max(a_long) from %s where an_int > 1000000",
        "select part, count(*), sum(an_int), max(a_date) from %s group by part",
        "select a_boolean, part, avg(a_byte) from %s where a_byte > part group by a_boolean, part"
      })
  void theResultIsSparks(String sql) {
    Dataset<Row> ours = spark.sql(sql.formatted("mooring.`" + table() + "`"));
    ScanResults.assertSame(ours, spark.sql(sql.formatted("parquet.`" + table() + "`")));
    assertThat(ScanResults.metric(ours, "gpuFiles")).isPositive();
    assertThat(ScanResults.metric(ours, "cpuFiles")).isZero();
  }
}
