package io.mooring.stage;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.metrics.FileFallbacks;
import io.mooring.testing.Answers;
import io.mooring.testing.RandomCases;
import io.mooring.testing.RandomRun;
import io.mooring.testing.RandomTables;
import io.mooring.testing.ScanResults;
import io.mooring.testing.Sessions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random windows over groups, by one task and by Spark. {@code -Dmooring.test.windows.cases=10000}
 * makes more of them, {@code -Dmooring.test.windows.seed=N} begins with another; each has the seed
 * after the one before.
 */
@Tag("extended")
@Tag("random")
class RandomWindowsTest {
  private static final int CASES = RandomCases.of("mooring.test.windows.cases", 15, 75);
  private static final long SEED = Long.getLong("mooring.test.windows.seed", System.nanoTime());
  private static final int ROWS = 1_500;
  private static final int FILES = 2;

  @TempDir static Path folder;

  private static SparkSession spark;

  @BeforeAll
  static void start() {
    spark =
        Sessions.transparent(
            folder.resolve("warehouse"),
            Map.of(
                "spark.mooring.pinnedPool.size", "64m",
                "spark.mooring.sql.singleTaskAggregates", "always"));
    String path = folder.resolve("t").toString();
    spark
        .createDataFrame(new RandomTables(SEED).rows(ROWS), RandomTables.ALL_TYPES)
        .repartition(FILES)
        .write()
        .parquet(path);
    spark.read().parquet(path).createOrReplaceTempView("t");
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  @Test
  void everyAnswerIsSparks() {
    RandomRun cases = new RandomRun(getClass(), SEED, CASES);
    int single = 0;
    int failed = 0;
    int windows = 0;
    for (long seed = SEED; cases.goesOn(); seed++) {
      Outcome outcome = run(seed);
      cases.ended(outcome.difference);
      failed += outcome.failed ? 1 : 0;
      single += outcome.single ? 1 : 0;
      windows += outcome.windowed ? 1 : 0;
    }
    System.out.printf(
        "%s, %d fail in both, %d by one task, %d of them with their windows; left: %s%n",
        cases, failed, single, windows, FileFallbacks.take());
    cases.assertNoneDiffers();
    if (cases.isLong()) {
      assertThat(failed).isLessThan(cases.cases() / 10);
      assertThat(windows).isGreaterThan(cases.cases() / 3);
    }
  }

  /**
   * What became of a query.
   *
   * @param difference from Spark's answer, or empty
   * @param failed whether it gave an error
   * @param single whether one task computed the groups
   * @param windowed whether it computed windows of them, too
   */
  private record Outcome(String difference, boolean failed, boolean single, boolean windowed) {}

  private static Outcome run(long seed) {
    Random random = new Random(seed);
    String query = new RandomWindows(random).next();
    Map<String, String> settings =
        Map.of(
            "spark.sql.ansi.enabled", String.valueOf(random.nextBoolean()),
            "spark.sql.adaptive.enabled", String.valueOf(random.nextBoolean()));
    List<Outcome> outcome = new ArrayList<>();
    Sessions.with(
        spark, settings, () -> outcome.add(compared(query, "seed " + seed + " " + settings)));
    return outcome.get(0);
  }

  private static Outcome compared(String query, String description) {
    Dataset<Row> data = spark.sql(query);
    String ours;
    try {
      ours = ScanResults.rows(data).toString();
    } catch (Exception e) {
      ours = Answers.ofError(e);
    }
    String difference = Answers.difference(spark, query, ours);
    boolean failed = ours.startsWith("error ");
    return new Outcome(
        difference.isEmpty() ? "" : description + ": " + difference,
        failed,
        !failed && !Stages.finalOf(data).isEmpty(),
        !failed && !Stages.finalWith(data, "Window").isEmpty());
  }
}
