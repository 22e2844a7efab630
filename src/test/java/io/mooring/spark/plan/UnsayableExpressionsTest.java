package io.mooring.spark.plan;

import io.mooring.testing.Sessions;
import io.mooring.testing.WithAndWithout;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Expressions that Spark 4.1 cannot hand to a scan, or not print once it has. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class UnsayableExpressionsTest {
  @TempDir static Path folder;
  private SparkSession spark;

  @BeforeAll
  void start() {
    spark = Sessions.transparent(folder.resolve("warehouse"), Map.of());
    spark.sql(
        "create table t using parquet as"
            + " select id, id % 3 as k, cast(id as string) as s,"
            + " cast(cast(id as string) as binary) as b from range(100)");
  }

  @AfterAll
  void stop() {
    spark.stop();
  }

  @Test
  void aNullAmongBytesIsNotPushed() {
    WithAndWithout.run(spark, "select id from t where b in (x'31', x'3233', null)").assertOurs();
    WithAndWithout.run(spark, "select id from t where b in (x'31', null) or id = 7").assertOurs();
    WithAndWithout.run(spark, "select max(id) from t where b in (x'31', null)").assertOurs();
  }

  /** Spark takes the name for a text in quotes. */
  @Test
  void aSearchForAColumnOfOneLetterIsNotPushed() {
    for (String search : List.of("startswith", "endswith", "contains")) {
      String condition = search + "(concat(k, s), s)";
      WithAndWithout.run(spark, "select id from t where " + condition).assertOurs();
      WithAndWithout.run(spark, "select id from t where id > 7 and (k = 1 or " + condition + ")")
          .assertOurs();
    }
  }

  /** Its two halves are a predicate and a null, which is none. */
  @Test
  void aRangeThatEndsInNullIsAggregatedBySpark() {
    WithAndWithout.run(spark, "select k, count_if(id between 3 and null) from t group by k");
    WithAndWithout.run(spark, "select bool_or(id between null and 5), max(id) from t");
  }
}
