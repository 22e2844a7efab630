package io.mooring.testing;

import org.apache.spark.sql.SparkSession;

/** What queries give, their errors among it, as text that can be compared and shown. */
public final class Answers {
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

  /** The class of what caused an error. */
  public static String ofError(Exception e) {
    return "error " + root(e).getClass();
  }

  /** What caused an error in the first place. */
  public static Throwable root(Throwable e) {
    return e.getCause() == null ? e : root(e.getCause());
  }

  /** As much of an answer as a report of failures shows. */
  public static String cut(String answer) {
    return answer.substring(0, Math.min(MOST_SHOWN, answer.length()));
  }
}
