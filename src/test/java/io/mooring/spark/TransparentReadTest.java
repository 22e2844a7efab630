package io.mooring.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mooring.testing.Interpreted;
import io.mooring.testing.Plans;
import io.mooring.testing.RandomTables;
import io.mooring.testing.RequiresGpu;
import io.mooring.testing.Sessions;
import io.mooring.testing.WithAndWithout;
import java.nio.file.Path;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Every way to name a Parquet relation leads through Mooring, and each switch turns it off. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TransparentReadTest {
  @TempDir static Path folder;
  private SparkSession spark;
  private String path;

  @BeforeAll
  void start() {
    spark = Sessions.transparent(folder.resolve("warehouse"), Interpreted.COMPILED);
    path = folder.resolve("plain").toString();
    long seed = System.nanoTime();
    System.out.println("TransparentReadTest seed " + seed);
    spark
        .createDataFrame(new RandomTables(seed).rows(2_000), RandomTables.ALL_TYPES)
        .repartition(3)
        .write()
        .parquet(path);
  }

  @AfterAll
  void stop() {
    spark.stop();
  }

  @Test
  void aPathIsReadByMooring() {
    WithAndWithout.run(spark, () -> spark.read().parquet(path)).assertOurs();
    WithAndWithout.run(
            spark, "select a_byte, a_string from parquet.`" + path + "` where an_int > 0")
        .assertOurs();
  }

  @Test
  void aTableIsReadByMooring() {
    spark.sql("create table plain_table using parquet as select * from parquet.`" + path + "`");
    WithAndWithout.run(spark, "select a_byte, sum(an_int) from plain_table group by a_byte")
        .assertOurs();
    WithAndWithout.run(spark, () -> spark.table("plain_table").filter("a_boolean")).assertOurs();
  }

  @Test
  void filtersAndAggregatesArePushedIntoTheScan() {
    WithAndWithout both =
        WithAndWithout.run(
            spark, "select count(*), max(an_int) from parquet.`" + path + "` where a_short > 0");
    String plan = both.assertOurs().ours().queryExecution().sparkPlan().toString();
    assertThat(plan).contains("agg_func_0").doesNotContain("Filter ");
  }

  @Test
  void aViewIsReadByMooring() {
    spark.read().parquet(path).createOrReplaceTempView("seen");
    WithAndWithout.run(spark, "select count(*), max(a_string) from seen where a_boolean")
        .assertOurs();
  }

  @Test
  void aCachedPlanIsFilledByMooringAndFoundAgain() {
    Dataset<Row> cached = spark.read().parquet(path).select("an_int", "a_string").cache();
    try {
      assertThat(cached.queryExecution().executedPlan().toString()).contains("InMemoryTableScan");
      assertThat(cached.queryExecution().withCachedData().toString()).contains("MooringScan");
      WithAndWithout both =
          WithAndWithout.run(spark, () -> spark.read().parquet(path).select("an_int", "a_string"));
      assertThat(Plans.count(both.ours(), "InMemoryTableScan")).isPositive();
      both.assertEqualCounts("InMemoryTableScan");
    } finally {
      cached.unpersist();
    }
  }

  @Test
  void writesReadThroughMooringAndFindWhatTheyReplace() {
    spark.sql("create table target (k bigint, v string) using parquet");
    spark.sql("insert into target select an_int, a_string from parquet.`" + path + "`");
    WithAndWithout.run(spark, "select * from target").assertOurs();
    spark.sql("create table copy using parquet as select * from target where k > 0");
    spark.sql("insert overwrite target select k + 1, v from copy");
    WithAndWithout both = WithAndWithout.run(spark, "select * from target").assertOurs();
    assertThat(both.ours().count()).isEqualTo(spark.table("copy").count());
  }

  @Test
  void aTableThatIsReadCannotBeOverwritten() {
    spark.sql("create table self using parquet as select 1 as k");
    assertThatThrownBy(() -> spark.sql("insert overwrite self select * from self"))
        .hasMessageContaining("self");
    WithAndWithout.run(spark, "select * from self").assertOurs();
  }

  @Test
  void commandsOnATableAreSparksOwn() {
    spark.sql("create table analyzed using parquet as select * from parquet.`" + path + "`");
    spark.sql("analyze table analyzed compute statistics for all columns");
    spark.sql("refresh table analyzed");
    assertThat(spark.sql("describe extended analyzed a_byte").collectAsList().toString())
        .contains("distinct_count");
    WithAndWithout both = WithAndWithout.run(spark, "select * from analyzed").assertOurs();
    assertThat(both.ours().queryExecution().optimizedPlan().stats().rowCount())
        .isEqualTo(both.sparks().queryExecution().optimizedPlan().stats().rowCount());
    assertThat(both.ours().inputFiles()).isEqualTo(both.sparks().inputFiles()).isNotEmpty();
  }

  @Test
  void formatMooringAloneIsServedWhenParquetIsTurnedOff() {
    Sessions.with(
        spark,
        "spark.mooring.sql.parquet.enabled",
        "false",
        () -> {
          assertThat(Plans.ours(spark.read().parquet(path))).isEmpty();
          assertThat(Plans.ours(spark.read().format("mooring").load(path))).hasSize(1);
        });
  }

  @Test
  void withoutAGpuLocalModeIsLeftAsItIs() {
    Sessions.with(
        spark,
        "spark.mooring.sql.withoutGpu",
        "false",
        () -> {
          boolean gpu = RequiresGpu.Condition.gpuIsThere();
          assertThat(Plans.ours(spark.read().parquet(path))).hasSize(gpu ? 1 : 0);
          assertThat(
                  spark.read().parquet(path).queryExecution().toString().contains("not Mooring: "))
              .isNotEqualTo(gpu);
        });
  }
}
