package io.mooring.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.testing.LeanHadoop;
import io.mooring.testing.Sessions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random tables, settings and queries, each with Mooring and without: the same schema, rows and
 * errors, as many scans, and a reason in the plan for each that stays with Spark. {@code
 * mooring.test.cases} sets how many queries, {@code mooring.test.seed} repeats a run.
 */
class ConformanceTest {
  private static final int CASES = Integer.getInteger("mooring.test.cases", 75);
  private static final long SEED = Long.getLong("mooring.test.seed", System.nanoTime());
  private static final int CASES_A_TABLE = 15;
  private static final int AT_ONCE = 2;
  private static final int MORE_ROUNDS = 20;
  private static final Map<String, String> SETTINGS =
      Map.of(
          "spark.mooring.pinnedPool.size", "64m",
          "spark.sql.shuffle.partitions", "1",
          "spark.sql.datetime.java8API.enabled", "true",
          // What Spark remembers and tells of past queries costs more than these queries.
          "spark.ui.retainedJobs", "5",
          "spark.ui.retainedStages", "5",
          "spark.ui.retainedTasks", "20",
          "spark.sql.ui.retainedExecutions", "5",
          "spark.sql.ui.explainMode", "simple");

  @TempDir Path folder;
  private final List<String> failures = new ArrayList<>();
  private int served;
  private int failed;

  @Test
  void everyAnswerIsSparks() throws Exception {
    System.out.println("ConformanceTest seed " + SEED);
    SparkSession spark = Sessions.transparent(folder.resolve("warehouse"), SETTINGS);
    spark.sparkContext().setLogLevel("OFF");
    LeanHadoop.forgetDefaults(spark, folder.resolve("first"));
    try {
      int rounds = runAtOnce(spark);
      // A few tables may all be of kinds that Mooring leaves to Spark; so many are not by luck.
      for (int i = 0; served <= CASES / 10 && i < MORE_ROUNDS; i++) {
        run(spark, SEED + rounds + i, CASES_A_TABLE);
      }
    } finally {
      spark.stop();
    }
    System.out.println("served " + served + ", failed " + failed);
    assertThat(failures).isEmpty();
    assertThat(served).isGreaterThan(CASES / 10);
    assertThat(failed).isLessThan(CASES / 2);
  }

  /** All cases, several tables at a time; how many tables there were. */
  private int runAtOnce(SparkSession spark) throws Exception {
    List<Callable<Void>> rounds = new ArrayList<>();
    for (int done = 0; done < CASES; done += CASES_A_TABLE) {
      long seed = SEED + rounds.size();
      int cases = Math.min(CASES_A_TABLE, CASES - done);
      rounds.add(
          () -> {
            run(spark, seed, cases);
            return null;
          });
    }
    ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE);
    try {
      for (Future<Void> round : threads.invokeAll(rounds)) {
        round.get();
      }
    } finally {
      threads.shutdownNow();
    }
    return rounds.size();
  }

  /** Two tables and some queries over them; a run with this seed alone repeats them. */
  private void run(SparkSession spark, long seed, int cases) {
    Dice dice = new Dice(seed);
    RandomSettings settings = new RandomSettings(dice);
    SparkSession writer = session(spark, settings.ofWriter());
    WrittenTable first = new TableWriter(writer, dice).write("t", folder.resolve("t" + seed));
    WrittenTable second = new TableWriter(writer, dice).write("u", folder.resolve("u" + seed));
    Map<String, String> both = settings.ofReaders();
    SparkSession sparks = session(spark, both);
    sparks.conf().set("spark.mooring.sql.enabled", "false");
    Map<String, String> mine = new HashMap<>(both);
    mine.putAll(settings.ofOurs());
    SparkSession ours = session(spark, mine);
    for (SparkSession session : List.of(ours, sparks)) {
      first.register(session, Map.of());
      second.register(session, Map.of());
    }
    RandomStatements statements = new RandomStatements(dice, first.table(), second.table());
    for (int i = 0; i < cases; i++) {
      Statement statement = statements.next();
      note(ConformanceCase.run(ours, sparks, statement), seed, statement, mine);
    }
  }

  private static SparkSession session(SparkSession spark, Map<String, String> settings) {
    SparkSession session = spark.newSession();
    settings.forEach((key, value) -> session.conf().set(key, value));
    return session;
  }

  private synchronized void note(
      ConformanceCase result, long seed, Statement statement, Map<String, String> settings) {
    served += result.served() ? 1 : 0;
    failed += result.sparks().failed() ? 1 : 0;
    if (!result.problems().isEmpty()) {
      String all = "seed " + seed + ": " + statement.sql() + "\n " + result.problems();
      System.out.println(all + "\n " + settings);
      failures.add(all);
    }
  }
}
