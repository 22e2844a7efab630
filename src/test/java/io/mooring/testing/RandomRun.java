package io.mooring.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.apache.spark.sql.SparkSession;

/**
 * A run of random cases. It prints a difference when it is found and the number of cases after each
 * hundred, so that a run that is cut off still tells what it saw. {@code -Dmooring.test.seconds=N}
 * ends all runs after that time; {@code -Dmooring.test.threads=N} has N sessions of a process run
 * cases at a time. Thread-safe.
 */
public final class RandomRun {
  private static final int MOST_PRINTED = 20;
  private static final int PRINTED_EACH = 100;
  private static final Duration LONGEST =
      Duration.ofSeconds(Integer.getInteger("mooring.test.seconds", Integer.MAX_VALUE));

  private static final int THREADS = Integer.getInteger("mooring.test.threads", 1);

  private final long start = System.nanoTime();
  private final String name;
  private final int cases;
  private final AtomicInteger begun = new AtomicInteger();
  private final AtomicInteger ended = new AtomicInteger();
  private final AtomicInteger different = new AtomicInteger();

  /**
   * @param test prints its name and the seed
   * @param cases how many to run at most
   */
  public RandomRun(Class<?> test, long seed, int cases) {
    this.name = test.getSimpleName();
    this.cases = cases;
    System.out.println(name + " seed " + seed);
  }

  /**
   * Runs the cases, each thread in a session of its own.
   *
   * @param spark whose catalog and executors they share
   * @param suites gives what runs one case in a session and tells its difference, empty if there is
   *     none; takes the number of the thread, from which its seed follows
   */
  public void inSessions(
      SparkSession spark, BiFunction<SparkSession, Integer, Supplier<String>> suites) {
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      List<CompletableFuture<Void>> runs =
          IntStream.range(0, THREADS)
              .mapToObj(i -> CompletableFuture.runAsync(() -> run(spark, suites, i), threads))
              .toList();
      runs.forEach(CompletableFuture::join);
    } finally {
      threads.shutdownNow();
    }
  }

  private void run(
      SparkSession spark, BiFunction<SparkSession, Integer, Supplier<String>> suites, int thread) {
    Supplier<String> suite = suites.apply(spark.newSession(), thread);
    while (goesOn()) {
      ended(suite.get());
    }
  }

  /** Tasks that run at a time, two for each session. */
  static int cores() {
    return 2 * THREADS;
  }

  /** Whether another case is to run, which begins then. */
  public boolean goesOn() {
    return System.nanoTime() - start < LONGEST.toNanos() && begun.getAndIncrement() < cases;
  }

  /**
   * A case has ended.
   *
   * @param difference empty if there is none
   */
  public void ended(String difference) {
    if (!difference.isEmpty() && different.getAndIncrement() < MOST_PRINTED) {
      System.out.println(name + ": " + difference);
    }
    if (ended.incrementAndGet() % PRINTED_EACH == 0) {
      System.out.println(name + ": " + this);
    }
  }

  /** Cases that have ended. */
  public int cases() {
    return ended.get();
  }

  /** Whether shares of the cases are no matter of luck. */
  public boolean isLong() {
    return ended.get() >= RandomCases.ENOUGH;
  }

  /** Fails if a case differed. */
  public void assertNoneDiffers() {
    assertThat(different.get()).as("cases that differ, printed above").isZero();
  }

  @Override
  public String toString() {
    return ended + " cases, " + different + " differ";
  }
}
