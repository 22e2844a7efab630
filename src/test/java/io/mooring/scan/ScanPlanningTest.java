package io.mooring.scan;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.testing.RandomTables;
import io.mooring.testing.ScanResults;
import io.mooring.testing.Sessions;
import java.nio.file.Path;
import java.util.Map;
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

/** How a scan is cut and planned, in settings that are not the usual ones. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ScanPlanningTest {
  private static final int ROWS = 5_000;

  @TempDir static Path folder;
  private SparkSession spark;
  private String allTypes;

  @BeforeAll
  void start() {
    spark = Sessions.withPlugin(4, Map.of("spark.mooring.pinnedPool.size", "256m"));
    allTypes = folder.resolve("all-types").toString();
    long seed = System.nanoTime();
    System.out.println("ScanPlanningTest seed " + seed);
    spark
        .createDataFrame(new RandomTables(seed).rows(ROWS), RandomTables.ALL_TYPES)
        .repartition(3)
        .write()
        .option("parquet.block.size", 64 << 10)
        .parquet(allTypes);
  }

  @AfterAll
  void stop() {
    spark.stop();
  }

  private Dataset<Row> ours(String path) {
    return spark.read().format("mooring").load(path);
  }

  private void assertSame(Dataset<Row> ours, Dataset<Row> sparks) {
    ScanResults.assertSame(ours, sparks);
    ScanResults.assertReadByGpuIfThereIsOne(ours);
  }

  @Test
  void countingNeedsNoColumn() {
    Dataset<Row> count = ours(allTypes).groupBy().count();
    assertSame(count, spark.read().parquet(allTypes).groupBy().count());
    assertThat(count.queryExecution().executedPlan().toString()).contains("columns []");
  }

  /** On a GPU these settings count only beside the first, with which Spark's way is asked for. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "spark.sql.leafNodeDefaultParallelism=16",
        "spark.sql.files.maxPartitionNum=3",
        "spark.sql.files.minPartitionNum=9",
        "spark.sql.files.maxPartitionNum=1"
      })
  void numberOfTasksIsSparks(String setting) {
    String[] pair = setting.split("=");
    Map<String, String> settings =
        Map.of(
            "spark.sql.files.maxPartitionBytes",
            "7k",
            "spark.sql.files.openCostInBytes",
            "1",
            pair[0],
            pair[1]);
    Sessions.with(
        spark,
        settings,
        () ->
            assertThat(ours(allTypes).toJavaRDD().getNumPartitions())
                .isEqualTo(spark.read().parquet(allTypes).toJavaRDD().getNumPartitions()));
  }

  @Test
  void smallSplitsGiveEveryRowGroupToOneTask() {
    Sessions.with(
        spark,
        Map.of("spark.sql.files.maxPartitionBytes", "7k", "spark.sql.files.openCostInBytes", "1"),
        () -> {
          assertSame(ours(allTypes), spark.read().parquet(allTypes));
          assertSame(
              ours(allTypes).groupBy().count(), spark.read().parquet(allTypes).groupBy().count());
        });
  }

  @Test
  void withoutSparksVectorizedReaderRowsAreRead() {
    Sessions.with(
        spark,
        "spark.sql.parquet.enableVectorizedReader",
        "false",
        () -> ScanResults.assertSame(ours(allTypes), spark.read().parquet(allTypes)));
  }

  @Test
  void columnsThatDifferInCaseOnlyAreToldApart() {
    String path = folder.resolve("cases").toString();
    Sessions.with(
        spark,
        "spark.sql.caseSensitive",
        "true",
        () -> {
          spark
              .range(50)
              .selectExpr("id", "id * 2 as P", "id % 3 as p")
              .write()
              .partitionBy("p")
              .parquet(path);
          assertSame(ours(path), spark.read().parquet(path));
        });
  }

  @Test
  void theInputFileIsKnownToFunctions() {
    String query =
        "select name, count(*) from (select input_file_name() as name, a_long from %s.`%s`)"
            + " group by name";
    ScanResults.assertSame(
        spark.sql(String.format(query, "mooring", allTypes)),
        spark.sql(String.format(query, "parquet", allTypes)));
  }

  @Test
  void aLimitLeavesTheRestUnread() {
    assertThat(ours(allTypes).limit(10).collectAsList()).hasSize(10);
    assertThat(ours(allTypes).count()).isEqualTo(ROWS);
  }
}
