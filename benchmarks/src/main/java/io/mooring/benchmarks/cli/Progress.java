package io.mooring.benchmarks.cli;

import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/** A progress bar on a terminal; elsewhere a line each tenth, so that logs stay readable. */
public final class Progress implements AutoCloseable {

  private static final int LINES = 10;

  private final int total;
  private final ProgressBar bar;
  private int done;

  private Progress(int total, ProgressBar bar) {
    this.total = total;
    this.bar = bar;
  }

  /** Starts at 0 of {@code total} steps. */
  public static Progress of(String task, int total) {
    if (!Home.isTerminal()) {
      return new Progress(total, null);
    }
    return new Progress(
        total,
        new ProgressBarBuilder()
            .setTaskName(task)
            .setInitialMax(total)
            .setStyle(ProgressBarStyle.ASCII)
            .setUpdateIntervalMillis(200)
            .build());
  }

  /** One step done; {@code what} is shown. */
  public synchronized void step(String what) {
    done++;
    if (bar != null) {
      bar.step();
      bar.setExtraMessage(what);
    } else if (done == total || done * LINES / total > (done - 1) * LINES / total) {
      System.err.printf("%d of %d runs, last: %s%n", done, total, what);
    }
  }

  @Override
  public void close() {
    if (bar != null) {
      bar.close();
    }
  }
}
