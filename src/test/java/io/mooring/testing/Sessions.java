package io.mooring.testing;

import io.mooring.session.GpuAvailability;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.spark.sql.RuntimeConfig;
import org.apache.spark.sql.SparkSession;

/**
 * Spark sessions for tests: local, without a UI, one at a time in a JVM. They interpret queries
 * unless settings say otherwise; see {@link Interpreted}.
 */
public final class Sessions {
  private Sessions() {}

  /** A session with the plugin in which format {@code parquet} is Spark's own reader. */
  public static SparkSession withPlugin(int cores, Map<String, String> settings) {
    SparkSession.Builder builder = plain(cores);
    builder.config("spark.plugins", "io.mooring.spark.MooringPlugin");
    // Tests compare with Spark's own reader, also where there is a GPU.
    builder.config("spark.mooring.sql.parquet.enabled", "false");
    // Tests of scans look at scans; those of stages ask for them.
    builder.config("spark.mooring.sql.stages", "never");
    // So that plans have the same exchanges with and without a GPU.
    builder.config("spark.mooring.sql.singleTaskAggregates", "never");
    settings.forEach(builder::config);
    SparkSession spark = builder.getOrCreate();
    if (spark.sparkContext().isLocal() && !isOfHive(spark)) {
      LeanHadoop.forgetDefaults(spark);
    }
    return spark;
  }

  /** A session whose Parquet relations all go through Mooring, with or without a GPU. */
  public static SparkSession transparent(Path warehouse, Map<String, String> settings) {
    Map<String, String> all = new HashMap<>(settings);
    all.put("spark.mooring.sql.parquet.enabled", "true");
    all.put("spark.mooring.sql.withoutGpu", "true");
    all.put("spark.mooring.sql.pushdown", "always");
    all.putIfAbsent("spark.mooring.sql.stages", "always");
    all.put("spark.sql.warehouse.dir", warehouse.toString());
    return withPlugin(RandomRun.cores(), all);
  }

  /** A session whose executors are processes of one core each. */
  public static SparkSession cluster(int executors, Map<String, String> settings) {
    Map<String, String> all = new HashMap<>(settings);
    all.put("spark.master", "local-cluster[" + executors + ",1,1024]");
    all.put("spark.executor.memory", "900m");
    // Other classes use the GPU at the same time.
    all.put("spark.mooring.gpu.memory.fraction", "0.06");
    // They live for a few queries, for which compiling them well does not pay.
    all.put("spark.executor.extraJavaOptions", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC");
    all.put("spark.mooring.sql.parquet.enabled", "true");
    return withPlugin(1, all);
  }

  /**
   * A session that plans as where one executor has a GPU, and executes nothing: a cluster without
   * executors.
   */
  public static SparkSession planningForGpu(Map<String, String> settings) {
    Map<String, String> all = new HashMap<>(settings);
    all.put("spark.master", "local-cluster[0,1,1024]");
    all.put("spark.mooring.sql.parquet.enabled", "true");
    all.put("spark.mooring.sql.stages", "auto");
    all.put("spark.mooring.sql.singleTaskAggregates", "auto");
    all.put("spark.sql.adaptive.enabled", "false");
    SparkSession spark = withPlugin(1, all);
    GpuAvailability.report("one", "", 64L << 30);
    return spark;
  }

  private static boolean isOfHive(SparkSession spark) {
    return spark.conf().get("spark.sql.catalogImplementation").equals("hive");
  }

  private static SparkSession.Builder plain(int cores) {
    SparkSession.Builder builder = SparkSession.builder();
    Interpreted.byDefault().forEach(builder::config);
    return builder
        .master("local[" + cores + "]")
        .config("spark.ui.enabled", "false")
        // The text of a plan, which Spark keeps for a UI.
        .config("spark.sql.ui.explainMode", "simple")
        .config("spark.sql.shuffle.partitions", "4")
        .config("spark.sql.session.timeZone", "UTC")
        .config("spark.sql.catalogImplementation", "in-memory")
        .config("spark.driver.host", "localhost")
        .config("spark.driver.bindAddress", "127.0.0.1");
  }

  /** Does something while a session has a setting, and then gives back what it had before. */
  public static <T> T with(SparkSession spark, String key, String value, Supplier<T> work) {
    RuntimeConfig conf = spark.conf();
    // The method get tells the default of a setting that the session does not have itself.
    Optional<String> before = conf.contains(key) ? Optional.of(conf.get(key)) : Optional.empty();
    conf.set(key, value);
    try {
      return work.get();
    } finally {
      before.ifPresentOrElse(own -> conf.set(key, own), () -> conf.unset(key));
    }
  }

  /** Does something that gives nothing while a session has a setting. */
  public static void with(SparkSession spark, String key, String value, Runnable work) {
    with(
        spark,
        key,
        value,
        () -> {
          work.run();
          return true;
        });
  }

  /** Does something while a session has several settings. */
  public static void with(SparkSession spark, Map<String, String> settings, Runnable work) {
    Runnable all = work;
    for (Map.Entry<String, String> setting : settings.entrySet()) {
      Runnable inner = all;
      all = () -> with(spark, setting.getKey(), setting.getValue(), inner);
    }
    all.run();
  }
}
