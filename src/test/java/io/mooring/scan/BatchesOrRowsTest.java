package io.mooring.scan;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.testing.ScanResults;
import io.mooring.testing.Sessions;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A table of which Spark reads one column in rows only: the columns that are read decide. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BatchesOrRowsTest {
  private static final int ROWS = 2_000;
  // More than Spark generates code for.
  private static final int COLUMNS = 120;

  @TempDir static Path folder;
  private SparkSession spark;

  @BeforeAll
  void start() {
    Map<String, String> settings =
        Map.of("spark.mooring.pinnedPool.size", "64m", "spark.mooring.sql.pushdown", "always");
    spark = Sessions.withPlugin(2, settings);
    spark.conf().set("spark.sql.parquet.enableNestedColumnVectorizedReader", "false");
    String path = folder.resolve("nested").toString();
    spark
        .range(ROWS)
        .selectExpr("id", "id % 10 as k", "array(id, id + 1) as list")
        .write()
        .parquet(path);
    spark.read().format("mooring").load(path).createOrReplaceTempView("ours");
    spark.read().parquet(path).createOrReplaceTempView("sparks");
  }

  @AfterAll
  void stop() {
    spark.stop();
  }

  private static boolean readInBatches(Dataset<Row> data) {
    return data.queryExecution().executedPlan().toString().contains("ColumnarToRow");
  }

  private Dataset<Row> assertPushedAndSame(String query) {
    Dataset<Row> ours = spark.sql(query.formatted("ours"));
    ScanResults.assertSame(ours, spark.sql(query.formatted("sparks")));
    assertThat(ours.queryExecution().optimizedPlan().toString()).doesNotContain("Filter");
    return ours;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select id from %s where k < 5",
        "select k, sum(id) from %s where id > 100 group by k",
        "select count(*) from %s where id > 100"
      })
  void withoutThatColumnBatchesAreRead(String query) {
    Dataset<Row> ours = assertPushedAndSame(query);
    assertThat(readInBatches(ours)).isTrue();
    ScanResults.assertReadByGpuIfThereIsOne(ours);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select list, id from %s where k < 5",
        "select list from %s where id > 100 and k = 3",
        "select * from %s where id < 0"
      })
  void withItRowsAreReadAndFiltered(String query) {
    assertThat(readInBatches(assertPushedAndSame(query))).isFalse();
  }

  @Test
  void manyColumnsAreReadInBatches() {
    String path = folder.resolve("wide").toString();
    String columns =
        IntStream.range(0, COLUMNS)
            .mapToObj(i -> "(id * 31 + " + i + ") % 97 as c" + i)
            .collect(Collectors.joining(", "));
    spark.sql("select " + columns + " from ours").write().parquet(path);
    String query = "select * from %s.`" + path + "` where c119 < 50";
    Dataset<Row> ours = spark.sql(query.formatted("mooring"));
    ScanResults.assertSame(ours, spark.sql(query.formatted("parquet")));
    assertThat(readInBatches(ours)).isTrue();
    ScanResults.assertReadByGpuIfThereIsOne(ours);
  }
}
