package io.mooring.stage;

import io.mooring.testing.Answers;
import io.mooring.testing.RandomCases;
import io.mooring.testing.RandomRun;
import io.mooring.testing.RandomTables;
import io.mooring.testing.ScanResults;
import io.mooring.testing.Sessions;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import java.util.function.Supplier;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random aggregates over random rows, each with stages and with Mooring turned off. {@code
 * mooring.test.cases} sets how many; {@code mooring.test.seed} repeats a run.
 */
@Tag("random")
class RandomStagesTest {
  private static final int CASES = RandomCases.of("mooring.test.cases", 10, 75);
  private static final long SEED = Long.getLong("mooring.test.seed", System.nanoTime());
  private static final int ROWS = 4_000;
  private static final int FILES = 3;
  @TempDir static Path folder;

  private final StagedCases staged = new StagedCases();

  @Test
  void everyAnswerIsSparks() {
    SparkSession spark =
        Sessions.transparent(
            folder.resolve("warehouse"), Map.of("spark.mooring.pinnedPool.size", "64m"));
    try {
      spark
          .createDataFrame(new RandomTables(SEED).rows(ROWS), RandomTables.ALL_TYPES)
          .selectExpr(RandomStageQueries.COLUMNS)
          .repartition(FILES)
          .write()
          .option("parquet.block.row.count.limit", ROWS / FILES / 4)
          .parquet(folder.resolve("t").toString());
      run(spark);
    } finally {
      spark.stop();
    }
  }

  private void run(SparkSession spark) {
    RandomRun cases = new RandomRun(getClass(), SEED, CASES);
    cases.inSessions(spark, this::suite);
    System.out.println(cases + ", " + staged);
    cases.assertNoneDiffers();
    staged.assertMostStaged(cases);
    staged.assertMostOnGpu();
  }

  private Supplier<String> suite(SparkSession spark, int thread) {
    spark.read().parquet(folder.resolve("t").toString()).createOrReplaceTempView("t");
    spark
        .createDataFrame(new RandomTables(SEED + 1).rows(ROWS / 10), RandomTables.ALL_TYPES)
        .selectExpr(RandomStageQueries.COLUMNS)
        .createOrReplaceTempView("r");
    Random random = new Random(SEED + thread);
    RandomStageQueries queries = new RandomStageQueries(random);
    return () -> difference(spark, random, queries.next());
  }

  private String difference(SparkSession spark, Random random, String query) {
    boolean ansi = random.nextBoolean();
    spark.conf().set("spark.sql.ansi.enabled", ansi);
    spark.conf().set("spark.mooring.sql.pushdown", random.nextInt(3) == 0 ? "always" : "never");
    String ours;
    try {
      Dataset<Row> data = spark.sql(query);
      ours = ScanResults.rows(data).toString();
      staged.count(Stages.of(data));
    } catch (Exception e) {
      ours = Answers.ofError(e);
    }
    String difference = Answers.difference(spark, query, ours);
    return difference.isEmpty() ? "" : "ansi " + ansi + ": " + difference;
  }
}
