package io.mooring.benchmarks.cli;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Work that is done once before the process ends when the user presses Ctrl-C. */
public final class InterruptHook {

  private static final long A_MOMENT = 500;

  private InterruptHook() {}

  /**
   * Runs the work. On Ctrl-C, {@code interrupted} runs, the process ends, and this method does not
   * return. When the work throws, {@code interrupted} stays registered and runs when the process
   * ends, so that what was measured is kept.
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
   * Waits half a second after a measuring process was lost, and forever if {@code stopping} is true
   * then. Ctrl-C in a terminal ends those processes a moment before this one hears of it, and their
   * loss is then no failure.
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
