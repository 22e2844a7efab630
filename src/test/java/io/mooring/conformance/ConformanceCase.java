package io.mooring.conformance;

import io.mooring.testing.Plans;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * One query run with Mooring and without.
 *
 * @param readersDiffer whether Spark's own two readers give different answers, and Mooring's is
 *     that of the reader of rows, which shares no decoder with the usual one
 * @param problems how the two differ, in words; empty when they do not
 */
record ConformanceCase(Outcome ours, Outcome sparks, boolean readersDiffer, List<String> problems) {
  private static final String IN_BATCHES = "spark.sql.parquet.enableVectorizedReader";

  static ConformanceCase run(SparkSession ours, SparkSession sparks, Statement statement) {
    Outcome mine = Outcome.of(ours, statement);
    Outcome other = Outcome.of(sparks, statement);
    List<String> problems = new ArrayList<>();
    boolean differ = !mine.answer().equals(other.answer());
    boolean readersDiffer = differ && mine.answer().equals(inRows(sparks, statement).answer());
    if (differ && !readersDiffer) {
      problems.add("the answers differ: " + firstDifference(mine.answer(), other.answer()));
      problems.add("asked again, Mooring: " + again(ours, statement, mine, other));
      problems.add("asked again, Spark: " + again(sparks, statement, other, mine));
    }
    if (!mine.failed() && !other.failed()) {
      checkScans(mine, other, problems);
    }
    return new ConformanceCase(mine, other, readersDiffer, problems);
  }

  /** What Spark's reader of rows makes of a query. */
  private static Outcome inRows(SparkSession session, Statement statement) {
    String usual = session.conf().get(IN_BATCHES);
    session.conf().set(IN_BATCHES, "false");
    try {
      return Outcome.of(session, statement);
    } finally {
      session.conf().set(IN_BATCHES, usual);
    }
  }

  /** What a session answers the second time, so that one reader's passing fault is told apart. */
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

  /** As many scans, and each that is Spark's tells why. */
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
    return ours.data() != null && !ours.failed() && !Plans.ours(ours.data()).isEmpty();
  }
}
