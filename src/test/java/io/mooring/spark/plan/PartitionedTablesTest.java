package io.mooring.spark.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.testing.Plans;
import io.mooring.testing.ScanResults;
import io.mooring.testing.Sessions;
import io.mooring.testing.WithAndWithout;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.datasources.v2.BatchScanExec;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Partition columns: as many files are read as Spark reads, whatever prunes them. */
@Tag("extended")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PartitionedTablesTest {
  private static final String JOIN =
      "select sum(f.v), count(*) from facts f join dims d on f.day = d.day where d.name = 'n3'";

  @TempDir static Path folder;
  private SparkSession spark;

  @BeforeAll
  void start() {
    spark = Sessions.transparent(folder.resolve("warehouse"), Map.of());
    spark.sql(
        "create table facts using parquet partitioned by (day, odd) as select /*+ coalesce(1) */ id"
            + " as v, cast(id % 10 as int) as day, case id div 10 % 5 when 0 then null when 1 then"
            + " 'a b' when 2 then 'x/y=1%' when 3 then 'ü' else 'Z' end as odd from range(1000)");
    spark.sql(
        "create table dims using parquet as"
            + " select cast(id as int) as day, concat('n', id) as name from range(10)");
  }

  @AfterAll
  void stop() {
    spark.stop();
  }

  private static long sparksFiles(Dataset<Row> sparks) {
    return Plans.sparks(sparks).stream()
        .mapToLong(scan -> scan.metrics().apply("numFiles").value())
        .sum();
  }

  private WithAndWithout assertSameFiles(String sql) {
    WithAndWithout both = WithAndWithout.run(spark, sql).assertOurs();
    assertThat(ScanResults.filesRead(both.ours())).isEqualTo(sparksFiles(both.sparks()));
    return both;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "day = 3",
        "day in (1, 2, 11)",
        "day % 4 = 1",
        "cast(day as string) like '%7'",
        "odd is null",
        "odd = 'x/y=1%'",
        "odd = 'ü' or odd <=> null",
        "substring(odd, 1, 1) = 'a' and v % 2 = 0",
        "(day = 1 and v % 2 = 0) or (day = 2 and v % 3 = 1)",
        "coalesce(odd, 'none') = 'none'",
        "day > 100"
      })
  void staticPruningReadsTheFilesThatSparkReads(String condition) {
    assertSameFiles("select v, day, odd from facts where " + condition);
    assertSameFiles("select count(*), sum(v) from facts where " + condition);
  }

  @Test
  void thePlanShowsTheConditionsOnPartitions() {
    assertThat(
            spark
                .sql("select v from facts where day % 4 = 1")
                .queryExecution()
                .executedPlan()
                .toString())
        .contains("partitions where [")
        .contains("(day % 4) = 1");
  }

  @Test
  void aPathIsPrunedAsATableIs() {
    String path = folder.resolve("warehouse/facts").toString();
    assertSameFiles("select v, odd from parquet.`" + path + "` where day % 3 = 0");
  }

  @ParameterizedTest
  @ValueSource(strings = {"true", "false"})
  void dynamicPruningReadsTheFilesThatSparkReads(String adaptive) {
    Sessions.with(
        spark,
        "spark.sql.adaptive.enabled",
        adaptive,
        () -> {
          WithAndWithout both = WithAndWithout.run(spark, JOIN).assertOurs();
          assertThat(filesWith("v", Plans.ours(both.ours()), "cpuFiles", "gpuFiles")).isEqualTo(5);
          assertThat(filesWith("v", Plans.sparks(both.sparks()), "numFiles")).isEqualTo(5);
          assertThat(runtimeFilters(both.ours())).isEqualTo(1);
        });
  }

  /** The files of the one table with this column. */
  private static long filesWith(String column, List<SparkPlan> scans, String... metrics) {
    return scans.stream()
        .filter(scan -> scan.output().exists(it -> it.name().equals(column)))
        .flatMap(scan -> Arrays.stream(metrics).map(name -> scan.metrics().apply(name).value()))
        .mapToLong(value -> (Long) value)
        .sum();
  }

  private static long runtimeFilters(Dataset<Row> data) {
    return Plans.ours(data).stream()
        .filter(scan -> !((BatchScanExec) scan).runtimeFilters().isEmpty())
        .count();
  }

  /** There, Spark leaves the filter above the projection of the relation that it prunes. */
  @ParameterizedTest
  @ValueSource(strings = {"true", "false"})
  void theSubqueryOfADynamicPruningIsPrunedItself(String adaptive) {
    Map<String, String> settings =
        Map.of(
            "spark.sql.adaptive.enabled", adaptive,
            "spark.sql.autoBroadcastJoinThreshold", "-1",
            "spark.sql.optimizer.dynamicPartitionPruning.reuseBroadcastOnly", "false",
            "spark.sql.optimizer.dynamicPartitionPruning.fallbackFilterRatio", "10");
    String query =
        "select sum(f.v), count(*) from facts f join dims d on f.day = d.day"
            + " join facts g on f.v = g.v and d.day = g.day where d.name = 'n3'";
    Sessions.with(spark, settings, () -> WithAndWithout.run(spark, query).assertOurs());
  }

  @Test
  void theBroadcastOfADynamicPruningIsReused() {
    WithAndWithout both = WithAndWithout.run(spark, JOIN).assertOurs();
    both.assertEqualCounts("BroadcastExchange", "ReusedExchange", "BroadcastHashJoin");
    assertThat(Plans.nodes(both.ours(), PartitionedTablesTest::isTrivialPruning)).isEmpty();
  }

  private static boolean isTrivialPruning(SparkPlan node) {
    return node instanceof BatchScanExec
        && node.simpleString(100).contains("dynamicpruningexpression(true)");
  }

  @Test
  void onlyPartitionColumnsAreRead() {
    assertSameFiles("select distinct day, odd from facts");
    assertSameFiles("select max(day), min(odd), count(odd) from facts");
  }
}
