package io.mooring.stage;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.stage.replicated.ReplicatedTables;
import io.mooring.testing.Interpreted;
import io.mooring.testing.Sessions;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Plans that a thread of a pool executes, which has no active session. */
class ThreadWithoutSessionTest {
  @TempDir static Path folder;
  private static SparkSession spark;

  @BeforeAll
  static void start() {
    spark =
        Sessions.transparent(
            folder.resolve("warehouse"), Interpreted.and(ReplicatedTables.SETTINGS));
    spark.conf().set("spark.mooring.sql.singleTaskAggregates", "always");
    String path = folder.resolve("t").toString();
    spark.range(0, 100, 1, 2).selectExpr("id", "id % 7 k").write().parquet(path);
    spark.read().parquet(path).createOrReplaceTempView("t");
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select id + 1 from t where id + k > 5",
        "select a.id, b.k from t a join t b on a.id = b.id",
        "select a.id, b.k from t a join (select /*+ broadcast(t) */ * from t) b on a.id = b.id",
        "select k, count(*) from t group by k",
        "select count(*) from t where id < (select max(k) from t)",
      })
  void theRowsAreTheSame(String query) {
    Stages.inEachWay(spark, () -> check(query));
  }

  private static void check(String query) {
    Dataset<Row> data = spark.sql(query);
    data.queryExecution().executedPlan();
    long rows =
        CompletableFuture.supplyAsync(
                () -> {
                  SparkSession.clearActiveSession();
                  return data.queryExecution().toRdd().count();
                },
                task -> new Thread(task).start())
            .join();
    assertThat(rows).isEqualTo(spark.sql(query).count()).isPositive();
    assertThat(SparkSession.active()).isSameAs(spark);
  }
}
