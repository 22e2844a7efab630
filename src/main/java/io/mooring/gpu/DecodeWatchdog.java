package io.mooring.gpu;

import io.mooring.parquet.read.DecodeMonitor;
import io.mooring.parquet.source.FileSequence;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Gives up a GPU on which a decode takes longer than a limit: damaged pages can keep it busy for
 * ever, and a kernel cannot be cancelled.
 */
record DecodeWatchdog(GpuHealth health, Duration limit) implements DecodeMonitor {
  private static final ScheduledThreadPoolExecutor TIMER = timer();

  /** A watchdog with a limit; none where the limit is zero. */
  static DecodeMonitor of(GpuHealth health, Duration limit) {
    return limit.isZero() ? NONE : new DecodeWatchdog(health, limit);
  }

  private static ScheduledThreadPoolExecutor timer() {
    ScheduledThreadPoolExecutor timer =
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              Thread thread = new Thread(task, "mooring-decode-watch");
              thread.setDaemon(true);
              return thread;
            });
    // Nearly all decodes end in time, and there are many.
    timer.setRemoveOnCancelPolicy(true);
    return timer;
  }

  @Override
  public Decode begin(FileSequence files) {
    Future<?> alarm =
        TIMER.schedule(
            () -> health.onDecodeTimeout(files.toString(), limit),
            limit.toMillis(),
            TimeUnit.MILLISECONDS);
    return () -> alarm.cancel(false);
  }
}
