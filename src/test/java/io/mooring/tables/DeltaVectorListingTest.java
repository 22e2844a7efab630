package io.mooring.tables;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.testing.WithAndWithout;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerJobStart;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files of a table with deletion vectors are chosen once, when a query is planned. */
@Tag("tables")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DeltaVectorListingTest {
  @TempDir static Path folder;
  private final AtomicInteger jobs = new AtomicInteger();
  private SparkSession spark;

  @BeforeAll
  void start() {
    spark = DeltaSessions.start(folder.resolve("warehouse"), Map.of());
    spark
        .sparkContext()
        .addSparkListener(
            new SparkListener() {
              @Override
              public void onJobStart(SparkListenerJobStart start) {
                jobs.incrementAndGet();
              }
            });
  }

  @AfterAll
  void stop() {
    spark.stop();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void run_ofAPlannedQuery_isTheOnlyJob(boolean deletes) throws Exception {
    String table = "listed_" + deletes;
    spark.sql(
        "create table "
            + table
            + " (id bigint, k bigint) using delta partitioned by (k)"
            + " tblproperties ('delta.enableDeletionVectors' = 'true')");
    spark
        .range(0, 1000, 1, 4)
        .selectExpr("id", "id % 3 k")
        .write()
        .format("delta")
        .mode("append")
        .saveAsTable(table);
    if (deletes) {
      spark.sql("delete from " + table + " where id % 10 = 7");
    }
    String sql = "select id from " + table + " where id < 150 and k = 1";
    for (int run = 0; run < 2; run++) {
      Dataset<Row> data = spark.sql(sql);
      data.queryExecution().executedPlan();
      spark.sparkContext().listenerBus().waitUntilEmpty();
      int planned = jobs.get();
      assertThat(data.collectAsList()).hasSize(deletes ? 45 : 50);
      spark.sparkContext().listenerBus().waitUntilEmpty();
      assertThat(jobs.get() - planned).as("run " + run).isEqualTo(1);
    }
    WithAndWithout.run(spark, sql).assertOurs();
  }
}
