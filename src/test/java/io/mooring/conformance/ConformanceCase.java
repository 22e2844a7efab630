package io.mooring.conformance;

import io.mooring.testing.Plans;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * One query run with Mooring and without.
 *
 * @param excuse why the two may differ
 * @param problems how the two differ, in words; empty when they do not
 */
record ConformanceCase(Outcome ours, Outcome sparks, Excuse excuse, List<String> problems) {
  private static final String IN_BATCHES = "spark.sql.parquet.enableVectorizedReader";
  private static final String PRUNING = "spark.sql.parquet.filterPushdown";
  private static final String ANSI = "spark.sql.ansi.enabled";

  /** Why another answer than Spark's can be right. */
  enum Excuse {
    NONE,
    /**
     * Spark's own two readers give different answers, and Mooring's answer is that of the row-based
     * reader, which shares no decoder with the vectorized one. Or Spark read everything in both
     * sessions, and the answers agree when both use the row-based reader.
     */
    READERS_DIFFER,
    /**
     * Spark failed for a row that another condition excludes. Mooring evaluated that condition
     * first, which SQL allows. Without ANSI mode Spark gives Mooring's answer.
     */
    CONDITION_LEFT_OUT,
    /**
     * Spark read everything in both sessions, and lost rows in Mooring's, where its filters prune
     * row groups: it cuts a time off to the milliseconds of a file.
     */
    SPARK_PRUNED
  }

  static ConformanceCase run(SparkSession ours, SparkSession sparks, Statement statement) {
    return run(ours, sparks, statement, ConformanceCase::isServed);
  }

  /**
   * @param served whether Mooring read some of what a query came to
   */
  static ConformanceCase run(
      SparkSession ours, SparkSession sparks, Statement statement, Predicate<Outcome> served) {
    Outcome mine = Outcome.of(ours, statement);
    Outcome other = Outcome.of(sparks, statement);
    List<String> problems = new ArrayList<>();
    boolean differ = !mine.answer().equals(other.answer());
    Excuse excuse = Excuse.NONE;
    if (differ) {
      excuse =
          served.test(mine)
              ? excuse(mine, other, mine, sparks, statement)
              : excuseOfSparks(mine, other, ours, sparks, statement);
    }
    if (differ && excuse == Excuse.NONE) {
      problems.add("the answers differ: " + firstDifference(mine.answer(), other.answer()));
      problems.add("asked again, Mooring: " + again(ours, statement, mine, other));
      problems.add("asked again, Spark: " + again(sparks, statement, other, mine));
    }
    if (!mine.failed() && !other.failed()) {
      checkScans(mine, other, problems);
    }
    return new ConformanceCase(mine, other, excuse, problems);
  }

  private static Excuse excuseOfSparks(
      Outcome mine, Outcome other, SparkSession ours, SparkSession sparks, Statement statement) {
    if (other.answer().equals(without(PRUNING, ours, statement).answer())) {
      return Excuse.SPARK_PRUNED;
    }
    return excuse(mine, other, without(IN_BATCHES, ours, statement), sparks, statement);
  }

  private static Excuse excuse(
      Outcome mine, Outcome other, Outcome believed, SparkSession sparks, Statement statement) {
    if (believed.answer().equals(without(IN_BATCHES, sparks, statement).answer())) {
      return Excuse.READERS_DIFFER;
    }
    boolean onlySparkFailed = other.failed() && !mine.failed();
    return onlySparkFailed && mine.answer().equals(without(ANSI, sparks, statement).answer())
        ? Excuse.CONDITION_LEFT_OUT
        : Excuse.NONE;
  }

  /** What Spark makes of a query with a setting off. */
  private static Outcome without(String key, SparkSession session, Statement statement) {
    String usual = session.conf().get(key);
    session.conf().set(key, "false");
    try {
      return Outcome.of(session, statement);
    } finally {
      session.conf().set(key, usual);
    }
  }

  /**
   * Compares the answer of a second run, which tells a passing fault of one reader from a lasting
   * one.
   */
  private static String again(
      SparkSession session, Statement statement, Outcome before, Outcome others) {
    List<String> answer = Outcome.of(session, statement).answer();
    if (answer.equals(before.answer())) {
      return "the same";
    }
    return answer.equals(others.answer()) ? "as the other" : "something else";
  }

  private static String firstDifference(List<String> ours, List<String> sparks) {
    for (int i = 0; i < Math.min(ours.size(), sparks.size()); i++) {
      if (!ours.get(i).equals(sparks.get(i))) {
        return "ours " + ours.get(i) + "\n sparks " + sparks.get(i);
      }
    }
    return "ours " + (ours.size() - 1) + " rows, sparks " + (sparks.size() - 1);
  }

  /** Checks that as many scans were planned, and that each of Spark's own tells why. */
  private static void checkScans(Outcome mine, Outcome other, List<String> problems) {
    Dataset<Row> data = Objects.requireNonNull(mine.data());
    int expected = Plans.planned(Objects.requireNonNull(other.data()));
    if (Plans.planned(data) != expected) {
      problems.add("as many scans were planned: " + Plans.planned(data) + " for " + expected);
    }
    Plans.sparks(data).stream()
        .filter(scan -> !scan.toString().contains("not Mooring: "))
        .forEach(scan -> problems.add("no reason is told in " + scan.simpleString(100)));
  }

  /** Whether Mooring read any of it. */
  boolean served() {
    return isServed(ours);
  }

  private static boolean isServed(Outcome outcome) {
    return outcome.data() != null && !outcome.failed() && !Plans.ours(outcome.data()).isEmpty();
  }
}
