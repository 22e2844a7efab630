package io.mooring.benchmarks.cli;

import java.io.PrintStream;
import java.util.Locale;

/**
 * A progress bar on a terminal, which is left as it is: nothing reads from it or takes its signals.
 * Elsewhere a line each tenth, so that logs stay readable.
 */
public final class Progress implements AutoCloseable {

  private static final int LINES = 10;
  private static final int BAR = 20;
  private static final String START_OF_LINE = "\r\033[K";

  private final String task;
  private final int total;
  private final int columns;
  private final PrintStream out = System.err;
  private final long start = System.nanoTime();
  private int done;

  private Progress(String task, int total, int columns) {
    this.task = task;
    this.total = total;
    this.columns = columns;
  }

  /** Starts at 0 of {@code total} steps. */
  public static Progress of(String task, int total) {
    return new Progress(task, total, HarnessHome.terminalColumns());
  }

  /** Counts a step as done and shows {@code what}. */
  public synchronized void step(String what) {
    done++;
    if (columns > 0) {
      String line = line((System.nanoTime() - start) / 1_000_000_000, what);
      // The last column stays free: some terminals begin a new line behind it.
      out.print(START_OF_LINE + line.substring(0, Math.min(line.length(), columns - 1)));
      out.flush();
    } else if (done == total || done * LINES / total > (done - 1) * LINES / total) {
      out.printf("%d of %d runs, last: %s%n", done, total, what);
    }
  }

  private String line(long seconds, String what) {
    // What comes is an estimate: there may be more of it, or less.
    int share = (int) Math.min(100, 100L * done / Math.max(1, total));
    String bar = "=".repeat(share * BAR / 100);
    return String.format(
        Locale.ROOT,
        "%s [%-" + BAR + "s] %d of %d, %s, about %s to go: %s",
        task,
        bar,
        done,
        total,
        time(seconds),
        time(Math.max(0, total - done) * seconds / done),
        what);
  }

  private static String time(long seconds) {
    return String.format(Locale.ROOT, "%d:%02d", seconds / 60, seconds % 60);
  }

  @Override
  public void close() {
    if (columns > 0) {
      out.println();
    }
  }
}
