package io.mooring.testing;

import java.util.HashMap;
import java.util.Map;

/** Settings for many queries of few rows. */
public final class Interpreted {
  /**
   * To compile a query costs several times as much as to run it on small tables, and so does a look
   * through the closures of its operators, which evaluators do without.
   */
  public static final Map<String, String> SETTINGS =
      Map.of(
          "spark.sql.execution.usePartitionEvaluator", "true",
          "spark.sql.codegen.wholeStage", "false",
          "spark.sql.codegen.factoryMode", "NO_CODEGEN");

  private Interpreted() {}

  /** As {@link #and}, but compiled where {@code -Dmooring.test.compiled=true} asks for it. */
  public static Map<String, String> orCompiled(Map<String, String> others) {
    return Boolean.getBoolean("mooring.test.compiled") ? others : and(others);
  }

  /** These and others. */
  public static Map<String, String> and(Map<String, String> others) {
    Map<String, String> all = new HashMap<>(SETTINGS);
    all.putAll(others);
    return all;
  }
}
