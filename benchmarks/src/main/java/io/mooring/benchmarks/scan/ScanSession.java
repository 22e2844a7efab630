package io.mooring.benchmarks.scan;

import io.mooring.benchmarks.cli.ByteSize;
import io.mooring.benchmarks.report.Recording;
import io.mooring.benchmarks.worker.WorkerProcess;
import io.mooring.benchmarks.worker.Workers;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** What the steps of one {@code scan} share: the plan, the truth, and where rows go. */
record ScanSession(
    ScanPlan plan,
    Reference reference,
    Recording recording,
    Workers workers,
    Optional<TraceOut> traceOut) {

  private static final int CTRL_C_MILLISECONDS = 500;

  WorkerProcess launch(String name, ByteSize heap) {
    return workers.launch(name, heap);
  }

  /**
   * Ctrl-C ends the workers too, a moment before the harness hears of it: a worker that is lost
   * then is no failure, and this never returns.
   */
  void waitIfStopping() {
    try {
      TimeUnit.MILLISECONDS.sleep(CTRL_C_MILLISECONDS);
      if (workers.isStopping()) {
        new CountDownLatch(1).await();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
