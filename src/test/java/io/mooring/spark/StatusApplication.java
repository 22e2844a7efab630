package io.mooring.spark;

import org.apache.spark.internal.Logging;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.util.Utils$;

/** An application for spark-submit that reads a little Parquet, or does what a shell does. */
public final class StatusApplication {
  private StatusApplication() {}

  /**
   * Runs a query.
   *
   * @param args {@code shell} or {@code submit}, and a folder for a table
   */
  public static void main(String[] args) {
    if (args[0].equals("shell")) {
      // The first thing that spark-shell does, and pyspark's gateway: from here on WARN is shown.
      ((Logging) Utils$.MODULE$).initializeForcefully(true, false);
    }
    SparkSession spark = SparkSession.builder().getOrCreate();
    spark.range(100).write().parquet(args[1]);
    spark.read().parquet(args[1]).filter("id > 3").explain();
    System.out.println("rows: " + spark.read().parquet(args[1]).filter("id > 3").count());
    spark.stop();
  }
}
