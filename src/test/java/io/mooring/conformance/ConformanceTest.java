package io.mooring.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.testing.Sessions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
  private static final int CASES_A_TABLE = 25;

  @TempDir Path folder;
  private final List<String> failures = new ArrayList<>();
  private int served;
  private int failed;

  @Test
  void everyAnswerIsSparks() {
    System.out.println("ConformanceTest seed " + SEED);
    Map<String, String> settings = new HashMap<>();
    settings.put("spark.mooring.pinnedPool.size", "64m");
    settings.put("spark.sql.shuffle.partitions", "1");
    settings.put("spark.sql.datetime.java8API.enabled", "true");
    SparkSession spark = Sessions.transparent(folder.resolve("warehouse"), settings);
    spark.sparkContext().setLogLevel("OFF");
    try {
      for (int round = 0; round * CASES_A_TABLE < CASES; round++) {
        run(spark, SEED + round, Math.min(CASES_A_TABLE, CASES - round * CASES_A_TABLE));
      }
    } finally {
      spark.stop();
    }
    System.out.println("served " + served + ", failed " + failed);
    assertThat(failures).isEmpty();
    assertThat(served).isGreaterThan(CASES / 3);
    assertThat(failed).isLessThan(CASES / 4);
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

  private void note(
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
