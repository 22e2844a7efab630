package io.mooring.testing;

import java.util.HashMap;
import java.util.Map;

/**
 * Settings by which Spark interprets queries of few rows. To compile a query costs several times as
 * much as to run it on small tables, and so does a look through the closures of its operators,
 * which evaluators do without.
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

  /** What sessions have where a test does not say: none where all tests are to be compiled. */
  static Map<String, String> byDefault() {
    return Boolean.getBoolean("mooring.test.compiled") ? Map.of() : SETTINGS;
  }

  /** These and others, also where all other tests are compiled. */
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
