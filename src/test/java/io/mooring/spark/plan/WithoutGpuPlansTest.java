package io.mooring.spark.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.testing.ScanResults;
import io.mooring.testing.Sessions;
import java.nio.file.Path;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where there is no GPU plans are Spark's own, but for the reason in the names of their scans. */
@Tag("forked-gpu")
class WithoutGpuPlansTest {
  @TempDir static Path folder;

  private static SparkSession spark;

  @BeforeAll
  static void start() {
    spark =
        Sessions.withPlugin(
            2,
            Map.of(
                "spark.mooring.sql.parquet.enabled", "true",
                "spark.sql.warehouse.dir", folder.resolve("warehouse").toString(),
                // Where there are GPUs, one that is not among them.
                "spark.mooring.gpu.devices", "999"));
    spark.sql(
        "create table facts using parquet partitioned by (day) as select id, id % 17 as k,"
            + " concat('text ', id) as text, id % 4 as day from range(2000)");
    spark.sql(
        "create table dims using parquet clustered by (k) into 3 buckets as select id as k,"
            + " id % 4 as day, concat('dim ', id) as name from range(17)");
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select * from facts",
        "select id, text from facts where k > 3 and day = 2",
        "select k, count(distinct day), max(text) from facts group by k",
        "select f.text, d.name from facts f join dims d on f.k = d.k where d.k < 5",
        "select count(*) from facts f join dims d on f.day = d.day where d.name = 'dim 3'",
        "select count(*) from facts where id > (select avg(k) from facts where day = 1)",
        "select (select max(id) from facts where k = 1), (select min(id) from facts where k = 2)",
        "select name from dims distribute by k sort by name",
        "select text from facts order by id limit 3",
        "select a.id from facts a join facts b on a.id = b.id where a.day = 1 and b.day = 1"
      })
  void theReasonIsInThePlanAndNothingElseDiffers(String sql) {
    Dataset<Row> told = spark.sql(sql);
    String plan = plan(told);
    assertThat(plan).contains("FileScan parquet (not Mooring: ");
    Dataset<Row> off =
        Sessions.with(spark, "spark.mooring.sql.enabled", "false", () -> evaluated(sql));
    assertThat(plan.replaceAll(" \\(not Mooring: (there is no|spark\\.mooring).*?\\) ", " "))
        .isEqualTo(plan(off));
    ScanResults.assertSame(told, off);
  }

  private static Dataset<Row> evaluated(String sql) {
    Dataset<Row> data = spark.sql(sql);
    data.queryExecution().executedPlan();
    return data;
  }

  /** Numbers of expressions and of sub-queries are counted up from query to query. */
  private static String plan(Dataset<Row> data) {
    return data.queryExecution()
        .executedPlan()
        .toString()
        .replaceAll("#\\d+L?", "#")
        .replaceAll("plan_id=\\d+", "");
  }
}
