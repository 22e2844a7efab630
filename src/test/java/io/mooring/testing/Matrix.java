package io.mooring.testing;

import java.util.List;
import org.apache.spark.sql.SparkSession;

/**
 * How much is run of a matrix of cases and settings. By default each case runs with one of the
 * settings, which differ from case to case, so that every build runs all cases and all settings.
 * The profile {@code extended} runs all cases with all settings, as {@code -Dmooring.test.scale=2}
 * or more does; a test with the tag {@code matrix} runs there.
 */
public final class Matrix {
  private static final List<String> BOTH = List.of("true", "false");

  private Matrix() {}

  /**
   * The settings that a case runs with: one of them by default, all of them where more cases run.
   *
   * @param row name of the case; cases of the same name run with the same setting
   * @param all the settings to choose from
   */
  public static <T> List<T> of(String row, List<T> all) {
    return RandomCases.areMany()
        ? all
        : List.of(all.get(Math.floorMod(row.hashCode(), all.size())));
  }

  /** Chooses {@link #of} the values of a setting that is true or false. */
  public static List<String> both(String row) {
    return of(row, BOTH);
  }

  /**
   * Does something with adaptive execution and without, or with one of both as {@link #of} does.
   */
  public static void withAdaptiveOrWithout(SparkSession spark, String row, Runnable work) {
    for (String adaptive : both(row)) {
      Sessions.with(spark, "spark.sql.adaptive.enabled", adaptive, work);
    }
  }

  /** Chooses {@link #of} the values of two settings that are each true or false. */
  public static List<List<String>> bothOfTwo(String row) {
    return of(
        row,
        BOTH.stream()
            .flatMap(first -> BOTH.stream().map(second -> List.of(first, second)))
            .toList());
  }
}
