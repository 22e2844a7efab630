package io.mooring.benchmarks.cli;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Work that is done once before the process ends when the user presses Ctrl-C. */
public final class InterruptHook {

  private static final long A_MOMENT = 500;

  private InterruptHook() {}

  /**
   * Runs the work. Where Ctrl-C comes in it this never returns: {@code interrupted} runs and the
   * process ends. Work that throws leaves {@code interrupted} in place, so that what was measured
   * is kept when the process ends for that.
   */
  public static void during(Runnable work, Runnable interrupted) {
    Thread hook = new Thread(interrupted, "interrupted");
    Runtime.getRuntime().addShutdownHook(hook);
    work.run();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      waitForTheEnd();
    }
  }

  /**
   * Ctrl-C in a terminal ends the processes that measure too, a moment before this one hears of it:
   * what is lost then is no failure. Returns soon, or never where {@code stopping} comes true.
   */
  public static void waitIfStopping(BooleanSupplier stopping) {
    try {
      TimeUnit.MILLISECONDS.sleep(A_MOMENT);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (stopping.getAsBoolean()) {
      waitForTheEnd();
    }
  }

  private static void waitForTheEnd() {
    try {
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
