package io.mooring.testing;

import java.util.HashMap;
import java.util.Map;

/**
 * Settings with which Spark interprets queries over few rows. Compiling such a query takes several
 * times as long as running it, and so does cleaning the closures of its operators, which partition
 * evaluators avoid.
 */
public final class Interpreted {
  public static final Map<String, String> SETTINGS =
      Map.of(
          "spark.sql.execution.usePartitionEvaluator", "true",
          "spark.sql.codegen.wholeStage", "false",
          "spark.sql.codegen.factoryMode", "NO_CODEGEN");

  /** The defaults of Spark, for tests of what compiled queries do with results. */
  public static final Map<String, String> COMPILED =
      Map.of(
          "spark.sql.execution.usePartitionEvaluator", "false",
          "spark.sql.codegen.wholeStage", "true",
          "spark.sql.codegen.factoryMode", "FALLBACK");

  private Interpreted() {}

  /**
   * Settings of sessions whose test sets none; empty where {@code mooring.test.compiled} is set.
   */
  static Map<String, String> byDefault() {
    return Boolean.getBoolean("mooring.test.compiled") ? Map.of() : SETTINGS;
  }

  /**
   * The settings of interpreted queries, and others, which win; also where {@code
   * mooring.test.compiled} is set.
   */
  public static Map<String, String> and(Map<String, String> others) {
    return joined(SETTINGS, others);
  }

  /** The settings of compiled queries, and others. */
  public static Map<String, String> compiledAnd(Map<String, String> others) {
    return joined(COMPILED, others);
  }

  private static Map<String, String> joined(Map<String, String> some, Map<String, String> others) {
    Map<String, String> all = new HashMap<>(some);
    all.putAll(others);
    return all;
  }
}
