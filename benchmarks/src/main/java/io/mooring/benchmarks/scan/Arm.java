package io.mooring.benchmarks.scan;

import io.mooring.benchmarks.data.TableFormat;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * One configuration under comparison.
 *
 * @param name as in {@code --arms} and in every row
 * @param kind whose reader it is
 * @param conf what sets this arm apart from the others
 * @param own what the user set for this arm alone; wins over everything
 */
record Arm(String name, Kind kind, Map<String, String> conf, Map<String, String> own) {

  /** The reader that decodes. */
  enum Kind {
    SPARK_CPU,
    MOORING,
    /** The RAPIDS Accelerator, from the user's jar. */
    PEER
  }

  /** The arm against which the others are compared. */
  static final String BASE = "no-pool";

  /** The arm with the pool. */
  static final String POOL = "pool";

  /** The arm whose pool is cudf's own for Java. */
  static final String CUDFS_POOL = "pinned-memory-pool";

  /** The key of the pool's size. */
  static final String POOL_SIZE = "spark.mooring.pinnedPool.size";

  /** The key of the cache's size. */
  static final String CACHE_SIZE = "spark.mooring.cache.size";

  /** Spark's own reader without the plugin: the reference for every result. */
  static final Arm SPARK_CPU = new Arm("spark-cpu", Kind.SPARK_CPU, Map.of(), Map.of());

  /** Spark's name of the data source that reads a table; a table format's is its own. */
  String source(TableFormat format) {
    return usesPlugin() && format == TableFormat.PARQUET ? "mooring" : format.source();
  }

  /** True when the arm runs with Mooring's plugin. */
  boolean usesPlugin() {
    return kind == Kind.MOORING;
  }

  /** True when the arm takes a share of the GPU. */
  boolean usesGpu() {
    return kind != Kind.SPARK_CPU;
  }

  /** True for Mooring with its pool, of whatever size. */
  boolean hasPool() {
    return isWritten(POOL);
  }

  /** True for Mooring's reader over {@code PinnedMemoryPool}, of whatever size. */
  boolean hasCudfsPool() {
    return isWritten(CUDFS_POOL);
  }

  private boolean isWritten(String base) {
    return name.matches(Pattern.quote(base) + "([:+#].*)?");
  }

  Arm renamed(String other) {
    return new Arm(other, kind, conf, own);
  }
}
