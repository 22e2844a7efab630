package io.mooring.spark.plan.scripts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mooring.testing.ScanResults;
import io.mooring.testing.Sessions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The batches that scripts read stay for the thread that reads them, also when the task ends. */
@Tag("extended")
class ScriptRowsTest {
  private static final String SCRIPT = "using 'sh -c \"head -n 5; cat > /dev/null\"' as (a string)";

  @TempDir static Path folder;

  private static SparkSession spark;

  @BeforeAll
  static void start() {
    spark = Sessions.transparent(folder.resolve("warehouse"), Map.of());
    spark.sparkContext().setCheckpointDir(folder.resolve("checkpoints").toString());
    Dataset<Row> counted = counted();
    counted.createOrReplaceTempView("direct");
    counted.checkpoint(false).createOrReplaceTempView("checkpointed");
  }

  private static Dataset<Row> counted() {
    return spark.read().format(CountedBatches.class.getName()).load();
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  @BeforeEach
  void begin() {
    CountedBatches.FREED.set(0);
    CountedBatches.READ_WHEN_FREE.set(0);
  }

  @ParameterizedTest
  @ValueSource(strings = {"direct", "checkpointed"})
  void theTaskEndsEarly_noRowOfAFreeBatchIsRead(String table) {
    String query = "select transform(id) " + SCRIPT + " from " + table + " limit 1";
    assertThat(spark.sql(query).collectAsList()).hasSize(1);
    await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () -> {
              System.gc();
              return CountedBatches.FREED.get() > 0;
            });
    assertThat(CountedBatches.READ_WHEN_FREE).hasValue(0);
  }

  @Test
  void scriptsThatReadToTheEnd_haveSparksRows() {
    spark.range(0, 1000, 1, 3).createOrReplaceTempView("numbers");
    String query =
        "select transform(id, id % 7) using 'cat' as (a int, b int) from numbers where id % 2 = 1";
    Dataset<Row> rows = spark.sql(query);
    assertThat(rows.queryExecution().executedPlan().toString()).contains("ScriptRows");
    List<String> expected =
        ScanResults.rows(
            spark.sql(
                "select cast(id as int) a, cast(id % 7 as int) b from numbers where id % 2 = 1"));
    assertThat(ScanResults.rows(rows)).isEqualTo(expected);
  }

  @Test
  void aScriptWithoutRows_isNotStarted() {
    String query =
        "select transform(id) using 'sh -c \"echo started\"' as (a string) from range(10) where id < 0";
    assertThat(spark.sql(query).collectAsList()).isEmpty();
  }
}
