package io.mooring.spark.plan;

import io.mooring.testing.Sessions;
import io.mooring.testing.WithAndWithout;
import java.nio.file.Path;
import java.util.Map;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Constants that fail, in branches that no row reaches. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FailingConstantsTest {
  private static final String REASON = "Spark cannot push down an expression of this query";

  @TempDir static Path folder;

  private static SparkSession spark;

  @BeforeAll
  static void start() {
    spark = Sessions.transparent(folder.resolve("warehouse"), Map.of());
    String path = folder.resolve("rows").toString();
    spark.range(0, 100, 1, 1).selectExpr("id", "id < 0 as no").write().parquet(path);
    spark.read().parquet(path).createOrReplaceTempView("rows");
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  @Test
  void inAProjection_theyAreNoMatter() {
    Sessions.with(
        spark,
        "spark.sql.ansi.enabled",
        "true",
        () ->
            WithAndWithout.run(spark, "select if(no, 1 div 0, id) x from rows where id > 5")
                .assertOurs());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select id from rows where if(no, cast('x' as int), 0) < id",
        "select if(no, 1/0, 0) x, count(*) from rows group by x",
        "select max(if(no, cast('x' as int), 0)) from rows",
        "select count(*) from rows where if(no, element_at(array(1, 2), cast('x' as int)), 3) < id",
        "select case when no then cast(300 as tinyint) end x, max(id) from rows group by x",
        "select sum(id) from rows where id > 7 and (not no or id = if(no, 5 % 0, 3))"
      })
  void theyAreNotPushedDown(String query) {
    Sessions.with(
        spark,
        "spark.sql.ansi.enabled",
        "true",
        () -> WithAndWithout.run(spark, query).assertSparks(REASON));
    Sessions.with(
        spark,
        "spark.sql.ansi.enabled",
        "false",
        () -> WithAndWithout.run(spark, query).assertOurs());
  }
}
