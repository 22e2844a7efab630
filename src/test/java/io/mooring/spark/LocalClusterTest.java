package io.mooring.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.mooring.testing.Plans;
import io.mooring.testing.RequiresGpu;
import io.mooring.testing.ScanResults;
import io.mooring.testing.Sessions;
import io.mooring.testing.SparkHomes;
import io.mooring.testing.WithAndWithout;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Executors in processes of their own, which get Mooring as a jar of the application. */
@Tag("forked")
class LocalClusterTest {
  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  @Timeout(240)
  void executorsReadWithCudfAndWithout(boolean cudf) throws Exception {
    SparkHomes.link(name -> cudf || !name.startsWith("cudf"));
    SparkSession spark =
        Sessions.cluster(
            2,
            Map.of(
                "spark.jars", jar().toString(),
                "spark.sql.warehouse.dir", folder.resolve("warehouse").toString(),
                "spark.mooring.sql.withoutGpu", "true",
                "spark.mooring.sql.pushdown", "always",
                "spark.mooring.pinnedPool.size", "64m"));
    try {
      assertQueriesAreSparks(spark);
    } finally {
      spark.stop();
    }
  }

  @Test
  @Timeout(240)
  void whereNoExecutorHasAGpuQueriesGoBackToSpark() throws Exception {
    assumeFalse(RequiresGpu.Condition.gpuIsThere());
    SparkHomes.link(name -> true);
    SparkSession spark =
        Sessions.cluster(
            1, Map.of("spark.jars", jar().toString(), "spark.mooring.ui.reportInterval", "1s"));
    try {
      String path = folder.resolve("table").toString();
      spark.range(100).write().parquet(path);
      await()
          .atMost(Duration.ofSeconds(60))
          .untilAsserted(
              () -> {
                Dataset<Row> query = spark.read().parquet(path).filter("id > 3");
                assertThat(query.count()).isEqualTo(96);
                assertThat(Plans.ours(query)).isEmpty();
              });
    } finally {
      spark.stop();
    }
  }

  private Path jar() throws Exception {
    URI classes = MooringPlugin.class.getProtectionDomain().getCodeSource().getLocation().toURI();
    return SparkHomes.jar(Path.of(classes), folder.resolve("mooring.jar"));
  }

  private static void assertQueriesAreSparks(SparkSession spark) {
    spark.sql(
        "create table facts using parquet partitioned by (day) as select id, id * 0.5D as half,"
            + " concat('text ', id % 17) as text, cast(id % 900 as decimal(7,2)) as price,"
            + " id % 4 as day from range(0, 20000, 1, 4)");
    for (String sql :
        new String[] {
          "select * from facts",
          "select id, text from facts where half > 100 and text like 'text 1%'",
          "select day, text, count(*), sum(price), avg(price), max(half) from facts group by day, text",
          "select a.id, b.text from facts a join facts b on a.id = b.id * 2 where b.day = 1"
        }) {
      WithAndWithout both = WithAndWithout.run(spark, sql).assertOurs();
      assertThat(ScanResults.filesRead(both.ours())).isPositive();
    }
  }
}
