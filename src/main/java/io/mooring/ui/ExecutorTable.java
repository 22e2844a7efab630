package io.mooring.ui;

import io.mooring.metrics.MetricUnit;
import io.mooring.report.ExecutorReport;
import io.mooring.report.PoolSnapshot;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;

/** One row for each executor: its GPU and its pool. */
final class ExecutorTable {
  private static final List<String> HEADERS =
      List.of(
          "Executor",
          "GPU",
          "NUMA node",
          "Pool capacity",
          "In use",
          "Peak",
          "Over time",
          "Pageable fallbacks",
          "Waits",
          "Start-up",
          "Reported");
  private static final DateTimeFormatter CLOCK =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss").withZone(ZoneId.systemDefault());

  private ExecutorTable() {}

  static Markup of(List<ExecutorHistory> executors) {
    return executors.isEmpty()
        ? Markup.element("p", Markup.text("No executor has reported yet."))
        : Markup.table(HEADERS, executors.stream().map(ExecutorTable::row).toList());
  }

  private static List<Markup> row(ExecutorHistory executor) {
    ExecutorReport last = executor.last();
    PoolSnapshot pool = last.pool();
    return List.of(
        Markup.text(executor.executor()),
        Markup.text(last.device().isEmpty() ? "no GPU: " + last.problem() : gpu(last)),
        Markup.text(numaNode(pool)),
        Markup.text(capacity(pool)),
        Markup.text(MetricUnit.BYTES.show(pool.inUse())),
        Markup.text(MetricUnit.BYTES.show(pool.highWaterMark())),
        pool.capacity() == 0 ? Markup.text("no pool") : UsageChart.of(executor.usage()),
        fallbacks(pool),
        Markup.text(waits(pool)),
        startup(last),
        Markup.text(CLOCK.format(Instant.ofEpochMilli(last.time()))));
  }

  /** A GPU that was lost has both a name and a problem. */
  private static String gpu(ExecutorReport last) {
    return last.problem().isEmpty() ? last.device() : last.device() + ": " + last.problem();
  }

  private static String numaNode(PoolSnapshot pool) {
    if (pool.state().equals("OFF")) {
      return "";
    }
    return switch (pool.numaNode()) {
      case -1 -> "any";
      case -2 -> "several";
      default -> String.valueOf(pool.numaNode());
    };
  }

  private static String capacity(PoolSnapshot pool) {
    String capacity = MetricUnit.BYTES.show(pool.capacity());
    return switch (pool.state()) {
      case "STARTING", "PARTIAL" ->
          capacity + " of " + MetricUnit.BYTES.show(pool.target()) + ", " + pool.state();
      case "OFF" -> "off";
      default -> capacity;
    };
  }

  private static Markup fallbacks(PoolSnapshot pool) {
    List<Markup> lines = new ArrayList<>();
    pool.fallbacks()
        .forEach(
            (cause, it) ->
                lines.add(
                    Markup.text(
                        cause + ": " + it.count() + ", " + MetricUnit.BYTES.show(it.bytes()))));
    if (pool.hostAllocations() > 0) {
      lines.add(Markup.text("libcudf beyond the pool: " + pool.hostAllocations()));
    }
    return lines.isEmpty() ? Markup.text("none") : Markup.lines(lines);
  }

  private static String waits(PoolSnapshot pool) {
    if (pool.waits() == 0) {
      return "none";
    }
    String waits = pool.waits() + ", " + MetricUnit.NANOSECONDS.show(pool.waited());
    return pool.refused() == 0 ? waits : waits + ", " + pool.refused() + " refused";
  }

  private static Markup startup(ExecutorReport last) {
    List<Markup> lines = new ArrayList<>();
    if (last.start() > 0) {
      lines.add(Markup.text("GPU " + MetricUnit.NANOSECONDS.show(last.start())));
    }
    if (last.pool().startup() > 0) {
      lines.add(Markup.text("pool " + MetricUnit.NANOSECONDS.show(last.pool().startup())));
    }
    return Markup.lines(lines);
  }
}
