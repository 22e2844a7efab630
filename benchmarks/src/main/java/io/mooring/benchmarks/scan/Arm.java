package io.mooring.benchmarks.scan;

import io.mooring.benchmarks.cli.UserError;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * One configuration under comparison.
 *
 * @param name as in {@code --arms} and in every row
 * @param format Spark's data source name
 * @param conf what sets this arm apart from the others
 */
record Arm(String name, String format, Map<String, String> conf) {

  /** The arm against which the others are compared. */
  static final String BASE = "no-pool";

  /** The arm with the pool. */
  static final String POOL = "pool";

  /** Spark's own reader without the plugin: the reference for every result. */
  static final Arm SPARK_CPU = new Arm("spark-cpu", "parquet", Map.of());

  private static final String POOL_SIZE = "spark.mooring.pinnedPool.size";
  private static final String LIBCUDF_POOL = "spark.mooring.libcudf.defaultPool.size";

  /** Every arm that there is; {@code poolSize} in Spark's syntax, or {@code auto}. */
  static List<Arm> all(String poolSize) {
    return List.of(
        mooring(BASE, Map.of(POOL_SIZE, "0", LIBCUDF_POOL, "0")),
        mooring("cudf-default", Map.of(POOL_SIZE, "0", LIBCUDF_POOL, "auto")),
        mooring(POOL, Map.of(POOL_SIZE, poolSize)),
        SPARK_CPU);
  }

  /**
   * The arms of these names, in this order. A name that comes again is measured again, as {@code
   * pool-2}: whatever differs between the two is a false alarm.
   */
  static List<Arm> named(List<String> names, String poolSize) {
    Map<String, Integer> seen = new HashMap<>();
    return names.stream()
        .map(name -> named(name, poolSize).twin(seen.merge(name, 1, Integer::sum)))
        .toList();
  }

  private Arm twin(int number) {
    return number == 1 ? this : new Arm(name + "-" + number, format, conf);
  }

  private static Arm named(String name, String poolSize) {
    List<Arm> all = all(poolSize);
    return all.stream()
        .filter(arm -> arm.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                UserError.usage(
                    "no arm '" + name + "'; the arms are " + all.stream().map(Arm::name).toList()));
  }

  private static Arm mooring(String name, Map<String, String> conf) {
    return new Arm(name, "mooring", conf);
  }

  /** True when the arm runs with the plugin. */
  boolean usesPlugin() {
    return format.equals("mooring");
  }
}
