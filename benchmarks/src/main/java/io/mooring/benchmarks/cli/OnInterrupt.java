package io.mooring.benchmarks.cli;

import java.util.concurrent.CountDownLatch;

/** What is done once, before the process ends, when the user presses Ctrl-C meanwhile. */
public final class OnInterrupt {

  private OnInterrupt() {}

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

  private static void waitForTheEnd() {
    try {
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
