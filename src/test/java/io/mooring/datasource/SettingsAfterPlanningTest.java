package io.mooring.datasource;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.testing.Matrix;
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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Settings of Spark's reader that change between planning a query and running it. */
@Tag("matrix")
class SettingsAfterPlanningTest {
  @TempDir static Path folder;

  private static SparkSession spark;

  @BeforeAll
  static void start() {
    spark = Sessions.transparent(folder.resolve("warehouse"), Map.of());
    String path = folder.resolve("rows").toString();
    spark
        .range(0, 1000, 1, 2)
        .selectExpr("id", "id % 2 g", "named_struct('a', id, 'b', string(id)) s")
        .write()
        .parquet(path);
    spark.read().parquet(path).createOrReplaceTempView("rows");
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select g, count(*) from rows where g = 1 group by g",
        "select sum(id), count(*) from rows where g = 1",
        "select id * 2 from rows where g = 1 and id < 50",
        "select s.a, s.b from rows where id < 20",
        "select max(s.a), count(s) from rows where g = 1"
      })
  void plannedQueryHasTheSameRows(String query) {
    for (String adaptive : Matrix.both(query)) {
      Sessions.with(spark, "spark.sql.adaptive.enabled", adaptive, () -> rowsAreTheSame(query));
    }
  }

  private static void rowsAreTheSame(String query) {
    List<String> rows = ScanResults.rows(spark.sql(query));
    for (Map<String, String> settings :
        List.of(
            Map.of("spark.sql.parquet.enableVectorizedReader", "false"),
            Map.of("spark.sql.parquet.enableNestedColumnVectorizedReader", "false"))) {
      Dataset<Row> batches = planned(query);
      Dataset<Row> cached = spark.sql(query).cache();
      Sessions.with(
          spark,
          settings,
          () -> {
            assertThat(ScanResults.rows(batches)).isEqualTo(rows);
            assertThat(ScanResults.rows(cached)).isEqualTo(rows);
          });
      cached.unpersist();
      Dataset<Row>[] byRows = new Dataset[1];
      Sessions.with(spark, settings, () -> byRows[0] = planned(query));
      assertThat(ScanResults.rows(byRows[0])).isEqualTo(rows);
    }
  }

  private static Dataset<Row> planned(String query) {
    Dataset<Row> data = spark.sql(query);
    data.queryExecution().executedPlan();
    return data;
  }
}
