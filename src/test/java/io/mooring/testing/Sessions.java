package io.mooring.testing;

import java.util.Map;
import org.apache.spark.sql.SparkSession;

/** Spark sessions for tests: local, without a UI, one at a time in a JVM. */
public final class Sessions {
  private Sessions() {}

  /** A session with the plugin. */
  public static SparkSession withPlugin(int cores, Map<String, String> settings) {
    SparkSession.Builder builder = plain(cores);
    builder.config("spark.plugins", "io.mooring.spark.MooringPlugin");
    settings.forEach(builder::config);
    return builder.getOrCreate();
  }

  private static SparkSession.Builder plain(int cores) {
    return SparkSession.builder()
        .master("local[" + cores + "]")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "4")
        .config("spark.sql.session.timeZone", "UTC")
        .config("spark.sql.catalogImplementation", "in-memory")
        .config("spark.driver.host", "localhost")
        .config("spark.driver.bindAddress", "127.0.0.1");
  }
}
