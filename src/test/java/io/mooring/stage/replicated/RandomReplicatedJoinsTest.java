package io.mooring.stage.replicated;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.metrics.FileFallbacks;
import io.mooring.stage.MooringStageExec;
import io.mooring.stage.StagedCases;
import io.mooring.stage.Stages;
import io.mooring.testing.Answers;
import io.mooring.testing.Interpreted;
import io.mooring.testing.Plans;
import io.mooring.testing.RandomCases;
import io.mooring.testing.RandomRun;
import io.mooring.testing.ScanResults;
import io.mooring.testing.Sessions;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.apache.spark.SparkArithmeticException;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.plans.ExistenceJoin;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.joins.BroadcastHashJoinExec;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random joins, with and without exchanges, with ANSI mode and without. {@code
 * -Dmooring.test.joins.cases=10000} makes more of them, {@code -Dmooring.test.joins.seed=N} begins
 * with another.
 */
@Tag("extended")
@Tag("random")
class RandomReplicatedJoinsTest {
  private static final int CASES = RandomCases.of("mooring.test.joins.cases", 15, 75);
  private static final long SEED = Long.getLong("mooring.test.joins.seed", 1);

  @TempDir static Path folder;

  private static SparkSession spark;

  private final AtomicLong nextSeed = new AtomicLong(SEED);
  private final AtomicInteger replicated = new AtomicInteger();
  private final AtomicInteger withoutErrors = new AtomicInteger();
  private final AtomicInteger existence = new AtomicInteger();

  /** The cases with a join in a stage. */
  private final StagedCases staged = new StagedCases();

  @BeforeAll
  static void start() {
    spark =
        Sessions.transparent(
            folder.resolve("warehouse"), Interpreted.and(ReplicatedTables.SETTINGS));
    for (int i = 0; i < RandomReplicatedJoins.TABLES; i++) {
      String path = folder.resolve("t" + i).toString();
      spark
          .range(0, 60 - 7 * i, 1, 2)
          .selectExpr(RandomReplicatedJoins.columns(i))
          .write()
          .parquet(path);
    }
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  @Test
  void everyAnswerIsSparks() {
    RandomRun cases = new RandomRun(getClass(), SEED, CASES);
    cases.inSessions(spark, this::suite);
    System.out.println(cases + ", " + staged + "; left: " + FileFallbacks.take());
    cases.assertNoneDiffers();
    assertThat(replicated).hasValueGreaterThan(withoutErrors.get());
    assertThat(existence.get()).isPositive();
    if (cases.isLong()) {
      staged.assertMostStaged(cases);
    }
    staged.assertMostOnGpu();
  }

  private Supplier<String> suite(SparkSession session, int thread) {
    for (int i = 0; i < RandomReplicatedJoins.TABLES; i++) {
      session.read().parquet(folder.resolve("t" + i).toString()).createOrReplaceTempView("t" + i);
    }
    return () -> difference(Case.run(session, nextSeed.getAndIncrement()));
  }

  private String difference(Case ran) {
    // Conditions that may raise an error in ANSI mode keep an exchange.
    replicated.addAndGet(ran.ansi ? 0 : ran.replicated);
    withoutErrors.addAndGet(ran.ansi ? 0 : 1);
    existence.addAndGet(ran.existence);
    staged.count(ran.joined);
    return ran.difference;
  }

  /**
   * What became of a query.
   *
   * @param difference from Spark's answer, or empty
   * @param ansi whether it ran in ANSI mode
   * @param replicated how many build sides executors read themselves
   * @param existence how many of these are of existence joins
   * @param joined the stages that have a join
   */
  private record Case(
      String difference,
      boolean ansi,
      int replicated,
      int existence,
      List<MooringStageExec> joined) {
    static Case run(SparkSession spark, long seed) {
      String query = new RandomReplicatedJoins(seed).query();
      boolean ansi = seed / 2 % 2 == 0;
      // Under adaptive execution a join without rows may end a query before a division by zero
      // fails, or after it: Spark's own answer depends on which job is faster.
      boolean adaptive = seed % 2 == 0 && !(ansi && query.contains(" div "));
      spark.conf().set("spark.sql.ansi.enabled", ansi);
      spark.conf().set("spark.sql.adaptive.enabled", adaptive);
      Dataset<Row> data = spark.sql(query);
      String ours;
      try {
        ours = ScanResults.rows(data).toString();
      } catch (Exception e) {
        ours = Answers.ofError(e);
      }
      String difference = difference(spark, query, ours, ansi);
      List<MooringStageExec> joined =
          ours.startsWith("[") ? Stages.with(data, "BroadcastHashJoin") : List.of();
      return new Case(
          difference.isEmpty() ? "" : "seed " + seed + " ansi " + ansi + " " + difference,
          ansi,
          ReplicatedTables.replicated(data).size(),
          Plans.nodes(data, Case::isReplicatedExistence).size(),
          joined);
    }

    /**
     * Both answers, if they differ. Of several joins, one below a sort-merge join divides for no
     * further rows once the other side has ended, and one whose first match counts meets rows in
     * the order in which the others give them. So where Mooring's division fails, rows without ANSI
     * mode count.
     */
    private static String difference(SparkSession spark, String query, String ours, boolean ansi) {
      String difference = Answers.difference(spark, query, ours);
      boolean divides = ansi && query.contains(" div ") && query.split(" join |exists").length > 2;
      if (difference.isEmpty()
          || !divides
          || !Answers.isError(ours, SparkArithmeticException.class)) {
        return difference;
      }
      return Sessions.with(
          spark,
          "spark.sql.ansi.enabled",
          "false",
          () -> Answers.difference(spark, query, Answers.of(spark, query)));
    }

    private static boolean isReplicatedExistence(SparkPlan plan) {
      return plan instanceof BroadcastHashJoinExec join
          && join.joinType() instanceof ExistenceJoin
          && join.right() instanceof ReplicatedExec;
    }
  }
}
