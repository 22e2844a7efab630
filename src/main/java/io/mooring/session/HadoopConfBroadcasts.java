package io.mooring.session;

import java.lang.ref.WeakReference;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.util.SerializableConfiguration;

/**
 * Broadcasts of Hadoop configurations. A configuration has a thousand entries, which every task
 * would read again; scans with equal ones share a broadcast, which executors keep from query to
 * query. Thread-safe.
 */
public final class HadoopConfBroadcasts {
  // Sessions, and tables with options, that take turns. The broadcast of each takes some 100 KiB.
  private static final int MOST_CACHED = 16;

  private static final Map<Map<String, String>, Broadcast<SerializableConfiguration>> CACHED =
      new LinkedHashMap<>(MOST_CACHED, 0.75f, true);
  // A weak reference: the broadcasts must not keep a stopped context in memory.
  private static WeakReference<SparkContext> context = new WeakReference<>(null);

  private HadoopConfBroadcasts() {}

  /**
   * A broadcast of a configuration.
   *
   * @param conf nobody changes it any more
   */
  public static Broadcast<SerializableConfiguration> of(SparkContext spark, Configuration conf) {
    Map<String, String> entries = UnsourcedConfiguration.entries(conf);
    synchronized (CACHED) {
      if (context.get() != spark) {
        // Broadcasts of a stopped context cannot be read.
        CACHED.clear();
        context = new WeakReference<>(spark);
      }
      Broadcast<SerializableConfiguration> cached =
          CACHED.computeIfAbsent(entries, key -> broadcast(spark, conf));
      if (CACHED.size() > MOST_CACHED) {
        CACHED.remove(CACHED.keySet().iterator().next());
      }
      return cached;
    }
  }

  private static Broadcast<SerializableConfiguration> broadcast(
      SparkContext spark, Configuration conf) {
    return JavaSparkContext.fromSparkContext(spark)
        .broadcast(new SerializableConfiguration(new UnsourcedConfiguration(conf)));
  }
}
