package io.mooring.stage;

import io.mooring.testing.Sessions;
import io.mooring.testing.WithAndWithout;
import java.nio.file.Path;
import java.util.Map;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Sub-queries in expressions that tasks interpret: the expressions carry the sub-queries' plans.
 */
class SubqueriesInTasksTest {
  @TempDir static Path folder;

  private static SparkSession spark;

  @BeforeAll
  static void start() {
    spark =
        Sessions.transparent(
            folder.resolve("warehouse"),
            Map.of(
                "spark.sql.adaptive.enabled", "false",
                "spark.mooring.sql.replicatedJoins", "always",
                "spark.mooring.sql.singleTaskAggregates", "always",
                "spark.sql.autoBroadcastJoinThreshold", "-1"));
    String path = folder.resolve("rows").toString();
    spark.range(0, 40, 1, 1).selectExpr("id", "id % 5 as k").write().parquet(path);
    spark.read().parquet(path).createOrReplaceTempView("rows");
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select id from rows where k in ((select k from rows where id = 31),"
            + " (select max(k) from rows where id % 4 = 0), null)",
        "select id, greatest((select max(k) from rows where id % 4 = 0), k, size(array(id))) x from rows",
        "select id from rows where k in ((select max(a.k) from rows a join rows b on a.id = b.id),"
            + " (select min(m) from (select k, max(id) m from rows group by k)), null)"
      })
  void theirPlansAreOperandsThatAreCompared(String query) {
    WithAndWithout.run(spark, query).assertOurs();
  }
}
