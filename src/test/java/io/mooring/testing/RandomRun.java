package io.mooring.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;

/**
 * A run of random cases. It prints a difference when it is found and the number of cases after each
 * hundred, so that a run that is cut off still tells what it saw. {@code -Dmooring.test.seconds=N}
 * ends all runs after that time.
 */
public final class RandomRun {
  private static final int MOST_PRINTED = 20;
  private static final int PRINTED_EACH = 100;
  private static final Duration LONGEST =
      Duration.ofSeconds(Integer.getInteger("mooring.test.seconds", Integer.MAX_VALUE));

  private final long start = System.nanoTime();
  private final String name;
  private final int cases;
  private int ended;
  private int different;

  /**
   * @param test prints its name and the seed
   * @param cases how many to run at most
   */
  public RandomRun(Class<?> test, long seed, int cases) {
    this.name = test.getSimpleName();
    this.cases = cases;
    System.out.println(name + " seed " + seed);
  }

  /** Whether another case is to run. */
  public boolean goesOn() {
    return ended < cases && System.nanoTime() - start < LONGEST.toNanos();
  }

  /**
   * A case has ended.
   *
   * @param difference empty if there is none
   */
  public void ended(String difference) {
    ended++;
    if (!difference.isEmpty() && different++ < MOST_PRINTED) {
      System.out.println(name + ": " + difference);
    }
    if (ended % PRINTED_EACH == 0) {
      System.out.println(name + ": " + this);
    }
  }

  /** Cases that have ended. */
  public int cases() {
    return ended;
  }

  /** Whether shares of the cases are no matter of luck. */
  public boolean isLong() {
    return ended >= RandomCases.ENOUGH;
  }

  /** Fails if a case differed. */
  public void assertNoneDiffers() {
    assertThat(different).as("cases that differ, printed above").isZero();
  }

  @Override
  public String toString() {
    return ended + " cases, " + different + " differ";
  }
}
