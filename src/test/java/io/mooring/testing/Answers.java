package io.mooring.testing;

import org.apache.spark.sql.SparkSession;

/** What queries give, their errors among it, as text that can be compared and shown. */
public final class Answers {
  private static final String ERROR = "error ";
  private static final int MOST_SHOWN = 1000;

  private Answers() {}

  /** The rows of a query, or the class of its error. */
  public static String of(SparkSession spark, String query) {
    try {
      return ScanResults.rows(spark.sql(query)).toString();
    } catch (Exception e) {
      return ofError(e);
    }
  }

  /**
   * Both answers, if Mooring's is not Spark's; empty if it is. Where only Spark fails, its rows
   * without ANSI mode count: Mooring may have evaluated another condition first, which leaves out
   * the row that Spark fails for.
   */
  public static String difference(SparkSession spark, String query, String ours) {
    return Sessions.with(
        spark, "spark.mooring.sql.enabled", "false", () -> differenceOfSparks(spark, query, ours));
  }

  private static String differenceOfSparks(SparkSession spark, String query, String ours) {
    String sparks = of(spark, query);
    boolean onlySparkFails = sparks.startsWith(ERROR) && !ours.startsWith(ERROR);
    if (ours.equals(sparks) || (onlySparkFails && ours.equals(withoutAnsi(spark, query)))) {
      return "";
    }
    return query + "\n  ours   " + cut(ours) + "\n  Spark's " + cut(sparks);
  }

  private static String withoutAnsi(SparkSession spark, String query) {
    return Sessions.with(spark, "spark.sql.ansi.enabled", "false", () -> of(spark, query));
  }

  /** The class of what caused an error. */
  public static String ofError(Exception e) {
    return ERROR + root(e).getClass();
  }

  /** Whether an answer is an error that a class of exceptions caused. */
  public static boolean isError(String answer, Class<? extends Exception> cause) {
    return answer.equals(ERROR + cause);
  }

  /** What caused an error in the first place. */
  public static Throwable root(Throwable e) {
    return e.getCause() == null ? e : root(e.getCause());
  }

  /** The part of an answer that a report of failures shows. */
  private static String cut(String answer) {
    return answer.substring(0, Math.min(MOST_SHOWN, answer.length()));
  }
}
