package io.mooring.spark;

import io.mooring.cache.ChunkCache;
import io.mooring.gpu.GpuRuntime;
import io.mooring.memory.PinnedPool;
import io.mooring.metrics.FileFallbacks;
import io.mooring.report.ExecutorReport;
import io.mooring.report.PoolSnapshot;
import java.time.Duration;
import org.apache.spark.api.plugin.PluginContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends reports on this executor to the driver, at intervals and when its tasks have ended.
 * Thread-safe.
 */
final class ExecutorReporter {
  private static final Logger LOG = LoggerFactory.getLogger(ExecutorReporter.class);
  // An executor between two short stages is idle many times a second.
  private static final long MOST_PAUSE_MILLIS = 1000;

  private final PluginContext context;
  private final long intervalMillis;
  private final Thread thread;
  private final Object sending = new Object();
  private int running;
  private boolean due;
  private boolean stopped;
  private @Nullable ExecutorReport last;

  private ExecutorReporter(PluginContext context, Duration interval) {
    this.context = context;
    this.intervalMillis = interval.toMillis();
    this.thread = new Thread(this::reportUntilStopped, "mooring-report");
    this.thread.setDaemon(true);
  }

  static ExecutorReporter start(PluginContext context, Duration interval) {
    // Drops the counts of an earlier application in this process, whose queries have the same ids.
    FileFallbacks.take();
    ExecutorReporter reporter = new ExecutorReporter(context, interval);
    reporter.thread.start();
    return reporter;
  }

  synchronized void taskStarted() {
    running++;
  }

  synchronized void taskEnded() {
    running = Math.max(0, running - 1);
    if (running == 0) {
      due = true;
      notifyAll();
    }
  }

  /** Ends the reports with a last one. */
  void stop() {
    synchronized (this) {
      stopped = true;
    }
    thread.interrupt();
    try {
      thread.join(MOST_PAUSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    report(true);
  }

  private void reportUntilStopped() {
    // The first report goes out once it is known whether there is a GPU: people wait for that.
    GpuRuntime.current().ifPresent(GpuRuntime::usable);
    try {
      do {
        report(false);
        Thread.sleep(Math.min(MOST_PAUSE_MILLIS, intervalMillis));
      } while (await());
    } catch (InterruptedException e) {
      // stop() interrupts the thread.
    }
  }

  /** Waits until the next report is due; false when no further one is. */
  private synchronized boolean await() throws InterruptedException {
    long end = System.nanoTime() + Duration.ofMillis(intervalMillis).toNanos();
    while (!due && !stopped) {
      long left = (end - System.nanoTime()) / 1_000_000;
      if (left <= 0) {
        break;
      }
      wait(left);
    }
    due = false;
    return !stopped;
  }

  private void report(boolean atEnd) {
    try {
      // Sending may block, so that tasks must not need this lock.
      synchronized (sending) {
        sendNews(atEnd);
      }
    } catch (Exception e) {
      // The driver may be gone, and the executor works without it.
      LOG.debug("A report did not reach the driver", e);
    }
  }

  private void sendNews(boolean atEnd) throws Exception {
    ExecutorReport report = now();
    if (last != null && report.repeats(last)) {
      return;
    }
    last = report;
    if (atEnd && context.executorID().equals("driver")) {
      // In local mode the driver stops next, and the report has to arrive before.
      context.ask(report);
    } else {
      context.send(report);
    }
  }

  private ExecutorReport now() {
    GpuRuntime gpu = GpuRuntime.current().orElse(null);
    return new ExecutorReport(
        context.executorID(),
        System.currentTimeMillis(),
        gpu == null ? "" : gpu.deviceNames(),
        gpu == null ? "Mooring was not started on this executor" : gpu.reason(),
        gpu == null ? 0 : gpu.deviceBytes(),
        gpu == null ? 0 : gpu.startNanos(),
        PoolSnapshot.of(PinnedPool.stats(), ChunkCache.shared().stats()),
        FileFallbacks.take());
  }
}
