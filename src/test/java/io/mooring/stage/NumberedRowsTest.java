package io.mooring.stage;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.testing.ScanResults;
import java.nio.file.Path;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Joins below operators that number rows: where the order of rows counts, they stay with Spark. */
class NumberedRowsTest {
  private static final String NUMBERED =
      "select monotonically_increasing_id() n, f.id, i.name from facts f join items i on f.item ="
          + " i.item";

  @TempDir static Path folder;

  private static SparkSession spark;

  @BeforeAll
  static void start() {
    spark = StarTables.session(folder);
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        NUMBERED,
        "select int(rand() * 10) salt, f.id, s.label from facts f left join shops s on f.shop = s.shop",
        "select f.id, i.cost from facts f join items i on f.item = i.item where rand(3) < 0.5",
        "select * from (select f.id, s.label from facts f left join shops s on f.shop = s.shop)"
            + " tablesample (30 percent) repeatable (3)",
        "select id % 3, max(n) from (" + NUMBERED + ") group by 1"
      })
  void numberedJoin_staysWithSpark(String query) {
    Stages.inEachWay(
        spark,
        () -> {
          Dataset<Row> data = spark.sql(query);
          data.collectAsList();
          assertThat(Stages.joined(data))
              .as(() -> data.queryExecution().executedPlan().toString())
              .isEmpty();
        });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select spark_partition_id(), f.id, i.name from facts f join items i on f.item = i.item",
        "select monotonically_increasing_id(), id from facts where item in (select item from items"
            + " where cost > 20)",
        "select monotonically_increasing_id(), n, k from (select f.id % 7 k, count(i.name) n from facts f"
            + " join items i on f.item = i.item group by 1)",
        "select /*+ broadcast(g) */ rand(), f.id from facts f join (select f.id, i.name from facts f join"
            + " items i on f.item = i.item where cost > 20) g on f.id = g.id"
      })
  void joinWhoseOrderDoesNotCount_isInAStage(String query) {
    Stages.inEachWay(
        spark,
        () -> {
          Dataset<Row> data = spark.sql(query);
          data.collectAsList();
          assertThat(Stages.joined(data))
              .as(() -> data.queryExecution().executedPlan().toString())
              .hasSize(1);
        });
  }

  @Test
  void rows_haveTheSameNumbersAgain() {
    assertThat(ScanResults.rows(spark.sql(NUMBERED)))
        .isEqualTo(ScanResults.rows(spark.sql(NUMBERED)));
  }
}
