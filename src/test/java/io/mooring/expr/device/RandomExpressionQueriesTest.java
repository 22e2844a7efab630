package io.mooring.expr.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.metrics.FileFallbacks;
import io.mooring.stage.Stages;
import io.mooring.testing.Answers;
import io.mooring.testing.RandomCases;
import io.mooring.testing.RandomRun;
import io.mooring.testing.RequiresGpu;
import io.mooring.testing.ScanResults;
import io.mooring.testing.Sessions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whole queries of random expressions, with stages and with Mooring turned off: in time zones of
 * all kinds, with ANSI mode and without. {@code -Dmooring.test.expressionQueries=10000} makes more
 * of them, {@code -Dmooring.test.seed=N} begins with another; each has the seed after the one
 * before.
 */
@Tag("extended")
@Tag("random")
class RandomExpressionQueriesTest {
  private static final int CASES = RandomCases.of("mooring.test.expressionQueries", 20, 100);
  private static final long SEED = Long.getLong("mooring.test.seed", System.nanoTime());
  private static final int ROWS = 400;
  private static final int BUILD_ROWS = 40;
  private static final Duration LONGEST_PLANNING = Duration.ofMinutes(1);

  private static final Logger LOG = LoggerFactory.getLogger(RandomExpressionQueriesTest.class);

  @TempDir static Path folder;

  private static SparkSession spark;

  private final RandomRun cases = new RandomRun(getClass(), SEED, CASES);
  private int refused;
  private int failed;
  private int staged;
  private int left;

  @BeforeAll
  static void start() {
    spark =
        Sessions.transparent(
            folder.resolve("warehouse"), Map.of("spark.mooring.pinnedPool.size", "64m"));
    save("wild", ROWS, false);
    save("tame", ROWS, true);
    save("build", BUILD_ROWS, true);
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  /** One file, so that one task decides which of several errors a query has. */
  private static void save(String name, int rows, boolean tame) {
    String path = folder.resolve(name).toString();
    spark
        .createDataFrame(
            new RandomValues(new Random(SEED)).rows(rows, 0.1, tame), RandomValues.schema())
        .coalesce(1)
        .write()
        .option("parquet.block.row.count.limit", ROWS / 3)
        .parquet(path);
    spark.read().parquet(path).createOrReplaceTempView(name);
  }

  /** The whole table as {@code a}, and for joins each half of the columns. */
  private static void views(String table) {
    String tame = columns(true);
    spark.sql("create or replace temporary view a as select * from " + table);
    spark.sql("create or replace temporary view t as select " + columns(false) + " from " + table);
    spark.sql("create or replace temporary view s as select " + tame + " from build");
  }

  private static String columns(boolean tame) {
    return String.join(
        ", ",
        RandomValues.COLUMNS.keySet().stream()
            .filter(name -> name.endsWith("tame") == tame)
            .toList());
  }

  @Test
  void everyAnswerIsSparks() {
    for (long seed = SEED; cases.goesOn(); seed++) {
      run(seed);
    }
    System.out.printf(
        "%s, %d not accepted by Spark, %d fail in both, %d of the others with stages, %d of them left"
            + " in part to Spark; left: %s%n",
        cases, refused, failed, staged, left, FileFallbacks.take());
    cases.assertNoneDiffers();
    if (cases.isLong()) {
      assertThat(refused + failed).isLessThan(cases.cases() / 2);
      assertThat(staged).isGreaterThan((cases.cases() - refused - failed) * 3 / 4);
      assertThat(RequiresGpu.Condition.gpuIsThere() && left > staged * 3 / 4).isFalse();
    }
  }

  private void run(long seed) {
    Random random = new Random(seed);
    String query = new RandomExpressionQueries(random).next();
    // The parts of a union are tasks of their own, of which either may fail first.
    boolean ansi = random.nextInt(3) == 0 && !query.contains(" union ");
    views(random.nextInt(ansi ? 8 : 2) == 0 ? "wild" : "tame");
    Map<String, String> settings =
        Map.of(
            "spark.sql.ansi.enabled",
            String.valueOf(ansi),
            "spark.sql.session.timeZone",
            random.nextInt(3) == 0 ? "UTC" : RandomZones.one(random),
            "spark.sql.adaptive.enabled",
            String.valueOf(random.nextBoolean()),
            "spark.mooring.sql.pushdown",
            random.nextInt(4) == 0 ? "always" : "never");
    Sessions.with(spark, settings, () -> compare(query, "seed " + seed + " " + settings + ": "));
  }

  private void compare(String query, String description) {
    String ours;
    boolean isStaged = false;
    try {
      Dataset<Row> data = spark.sql(query);
      if (!isPlanned(data)) {
        cases.ended(description + "it is not planned in " + LONGEST_PLANNING + ": " + query);
        return;
      }
      ours = ScanResults.rows(data).toString();
      isStaged = !Stages.of(data).isEmpty();
      left += isStaged && Stages.metric(data, "sparkSplits") > 0 ? 1 : 0;
    } catch (Exception e) {
      if (e instanceof AnalysisException) {
        refused++;
        cases.ended("");
        return;
      }
      ours = Answers.ofError(e);
    }
    String difference = Answers.difference(spark, query, ours);
    cases.ended(difference.isEmpty() ? "" : description + difference);
    failed += ours.startsWith("error ") ? 1 : 0;
    staged += isStaged ? 1 : 0;
  }

  /** Whether planning ends. A thread that never ends it is left alone, as nothing stops it. */
  private static boolean isPlanned(Dataset<Row> data) throws InterruptedException {
    Thread planning = new Thread(() -> plan(data), "planning");
    planning.setDaemon(true);
    planning.start();
    planning.join(LONGEST_PLANNING.toMillis());
    return !planning.isAlive();
  }

  private static void plan(Dataset<Row> data) {
    try {
      spark.withActive(() -> data.queryExecution().executedPlan());
    } catch (Exception e) {
      // The query has the same error when it runs.
      LOG.debug("A query cannot be planned", e);
    }
  }
}
