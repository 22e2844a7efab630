package io.mooring.scan;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.testing.Interpreted;
import io.mooring.testing.PushdownTables;
import io.mooring.testing.RandomCases;
import io.mooring.testing.RandomQueries;
import io.mooring.testing.ScanResults;
import io.mooring.testing.Sessions;
import java.nio.file.Path;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random queries against Spark's own answer. {@code mooring.test.queries} sets how many, {@code
 * mooring.test.seed} repeats a run.
 */
@Tag("random")
class RandomQueriesTest {
  private static final int ROWS = 1_000;
  private static final int QUERIES = RandomCases.of("mooring.test.queries", 10);
  private static final long SEED = Long.getLong("mooring.test.seed", System.nanoTime());
  private static final Map<String, String> SETTINGS =
      Map.of(
          "spark.mooring.pinnedPool.size", "256m",
          "spark.mooring.sql.pushdown", "always",
          "spark.mooring.scan.coalesceSize", SEED % 2 == 0 ? "0" : "64m",
          "spark.sql.shuffle.partitions", "1",
          "spark.sql.ui.explainMode", "simple");

  @TempDir Path folder;

  @Test
  void everyQueryGivesWhatSparkGives() {
    System.out.println("RandomQueriesTest seed " + SEED);
    SparkSession spark = Sessions.withPlugin(2, Interpreted.and(SETTINGS));
    try {
      PushdownTables.create(spark, folder, SEED, ROWS);
      spark.sparkContext().setLogLevel("ERROR");
      RandomQueries queries = new RandomQueries(SEED);
      int pushed = 0;
      for (int i = 0; i < QUERIES; i++) {
        String query = queries.next();
        Dataset<Row> ours = spark.sql(query.formatted("ours"));
        assertThat(ScanResults.rows(ours))
            .as(query)
            .isEqualTo(ScanResults.rows(spark.sql(query.formatted("sparks"))));
        pushed += ours.queryExecution().sparkPlan().toString().contains("Filter ") ? 0 : 1;
      }
      if (QUERIES >= RandomCases.ENOUGH) {
        assertThat(pushed).isGreaterThan(QUERIES / 2);
      }
    } finally {
      spark.stop();
    }
  }
}
