package io.mooring.spark.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.testing.Plans;
import io.mooring.testing.Sessions;
import io.mooring.testing.WithAndWithout;
import java.nio.file.Path;
import java.util.Map;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Scripts get rows that Spark reads; what else the query reads is Mooring's. */
@Tag("extended")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ScriptInputTest {
  private static final String ADAPTIVE = "spark.sql.adaptive.enabled";

  @TempDir static Path folder;
  private SparkSession spark;

  @BeforeAll
  void start() {
    spark = Sessions.transparent(folder.resolve("warehouse"), Map.of());
    spark.sql("create table rows using parquet as select id, id % 7 as k from range(1000)");
    spark.sql("create table names using parquet as select id as k, 'n' as name from range(7)");
  }

  @AfterAll
  void stop() {
    spark.stop();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select transform(id, k) using 'cat' as (a int, b int) from rows where k = 3",
        "select transform(k, n) using 'cat' as (a int, b int) from (select k, count(*) n from rows"
            + " group by k)",
        "select sum(a) from (select transform(id) using 'cat' as (a int) from rows join names using (k))",
        "select count(*) from names where k in (select transform(k) using 'cat' as (a int) from rows)",
        "select count(*) from (select transform(id) using 'head -n 1' as (a int) from rows)"
            + " where a < 0"
      })
  void rowsOfScriptsAreReadBySpark(String query) {
    for (String adaptive : new String[] {"true", "false"}) {
      Sessions.with(
          spark,
          ADAPTIVE,
          adaptive,
          () -> {
            WithAndWithout both = WithAndWithout.run(spark, query);
            assertThat(Plans.sparks(both.ours()))
                .filteredOn(scan -> scan.simpleString(1000).contains("/rows"))
                .isNotEmpty()
                .allMatch(scan -> scan.simpleString(1000).contains(ScriptInput.REASON));
          });
    }
  }

  @ParameterizedTest
  @CsvSource({
    "/names,select count(*) from names where k in (select transform(k) using 'cat' as (a int) from rows)",
    "/rows,select count(*) from rows where k < (select max(k) from names)"
  })
  void whatNoScriptReadsIsMoorings(String table, String query) {
    Sessions.with(
        spark,
        ADAPTIVE,
        "false",
        () ->
            assertThat(Plans.ours(WithAndWithout.run(spark, query).ours()))
                .anyMatch(scan -> scan.simpleString(1000).contains(table)));
  }

  @Test
  void theNextQueryOfTheTableIsMooringsAgain() {
    WithAndWithout.run(spark, "select transform(id) using 'cat' as (a int) from rows where k = 1");
    WithAndWithout.run(spark, "select sum(id) from rows where k = 1").assertOurs();
  }
}
