package io.mooring.testing;

import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerJobStart;
import org.apache.spark.sql.SparkSession;

/** What queries have Spark's scheduler do. */
public final class Jobs {
  private Jobs() {}

  /** How many jobs a query takes, those of its broadcasts and sub-queries among them. */
  public static int of(SparkSession spark, String query) {
    AtomicInteger jobs = new AtomicInteger();
    SparkListener listener =
        new SparkListener() {
          @Override
          public void onJobStart(SparkListenerJobStart started) {
            jobs.incrementAndGet();
          }
        };
    try {
      // Else it would hear of jobs of queries before.
      spark.sparkContext().listenerBus().waitUntilEmpty();
      spark.sparkContext().addSparkListener(listener);
      spark.sql(query).collect();
      spark.sparkContext().listenerBus().waitUntilEmpty();
      return jobs.get();
    } catch (TimeoutException e) {
      throw new IllegalStateException(e);
    } finally {
      spark.sparkContext().removeSparkListener(listener);
    }
  }
}
