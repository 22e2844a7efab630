package io.mooring.testing;

import java.util.stream.IntStream;

/**
 * How much random suites run: little by default, because every build runs them, and as much as a
 * property says. {@code -Dmooring.test.scale=N} makes N times as many cases of all of them; the
 * profile {@code extended} makes four times as many.
 */
public final class RandomCases {
  /** So many cases that a share of them is no matter of luck. */
  public static final int ENOUGH = 40;

  private static final int SCALE = Integer.getInteger("mooring.test.scale", 1);

  private static final int ROUNDS = 3;

  private RandomCases() {}

  /** Whether more is to run than what every build does. */
  static boolean areMany() {
    return SCALE > 1;
  }

  /** Rounds of a test that each take all of a small random file. */
  static IntStream rounds() {
    return IntStream.range(0, ROUNDS * SCALE);
  }

  /**
   * The number of cases of a suite.
   *
   * @param property the suite's own, which wins over the scale
   * @param few how many are run by default
   */
  public static int of(String property, int few) {
    return Integer.getInteger(property, few * SCALE);
  }

  /** The number of cases, with a default for machines with a GPU, where cases tell more. */
  public static int of(String property, int few, int fewOnGpu) {
    return of(property, RequiresGpu.Condition.gpuIsThere() ? fewOnGpu : few);
  }
}
