package io.mooring.ui;

import io.mooring.cache.CacheStats.CacheStat;
import io.mooring.memory.PoolStat;
import io.mooring.memory.PoolState;
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
          "Cache",
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
        Markup.text(MetricUnit.BYTES.show(pool.get(PoolStat.BYTES_IN_USE))),
        Markup.text(MetricUnit.BYTES.show(pool.get(PoolStat.HIGH_WATER_MARK))),
        cache(pool),
        pool.get(PoolStat.CAPACITY_BYTES) == 0
            ? Markup.text("no pool")
            : UsageChart.of(executor.usage()),
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
    if (pool.is(PoolState.OFF)) {
      return "";
    }
    int node = (int) pool.get(PoolStat.NUMA_NODE);
    return switch (node) {
      case -1 -> "any";
      case -2 -> "several";
      default -> String.valueOf(node);
    };
  }

  private static String capacity(PoolSnapshot pool) {
    String capacity = MetricUnit.BYTES.show(pool.get(PoolStat.CAPACITY_BYTES));
    if (pool.is(PoolState.OFF)) {
      return "off";
    } else if (pool.is(PoolState.READY)) {
      return capacity;
    }
    return capacity
        + " of "
        + MetricUnit.BYTES.show(pool.get(PoolStat.TARGET_BYTES))
        + ", "
        + pool.state();
  }

  private static Markup cache(PoolSnapshot pool) {
    if (pool.cache().isEmpty()) {
      return Markup.text("empty");
    }
    List<Markup> lines = new ArrayList<>();
    lines.add(cached("holds ", pool.get(CacheStat.BYTES)));
    lines.add(cached("spared ", pool.get(CacheStat.HIT_BYTES)));
    lines.add(cached("given up for other buffers ", pool.get(PoolStat.EVICTED_BYTES)));
    lines.add(cached("replaced ", pool.get(CacheStat.REPLACED_BYTES)));
    lines.add(cached("of rewritten files ", pool.get(CacheStat.CHANGED_BYTES)));
    return Markup.lines(lines);
  }

  private static Markup cached(String what, long bytes) {
    return Markup.text(what + MetricUnit.BYTES.show(bytes));
  }

  private static Markup fallbacks(PoolSnapshot pool) {
    List<Markup> lines = new ArrayList<>();
    pool.fallbacks()
        .forEach(
            (cause, it) ->
                lines.add(
                    Markup.text(
                        cause + ": " + it.count() + ", " + MetricUnit.BYTES.show(it.bytes()))));
    long hostAllocations = pool.get(PoolStat.HOST_ALLOC_COUNT);
    if (hostAllocations > 0) {
      lines.add(Markup.text("libcudf beyond the pool: " + hostAllocations));
    }
    return lines.isEmpty() ? Markup.text("none") : Markup.lines(lines);
  }

  private static String waits(PoolSnapshot pool) {
    long count = pool.get(PoolStat.WAIT_COUNT);
    if (count == 0) {
      return "none";
    }
    String waits = count + ", " + MetricUnit.NANOSECONDS.show(pool.get(PoolStat.WAIT_NANOS));
    long refused = pool.get(PoolStat.TIMEOUTS);
    return refused == 0 ? waits : waits + ", " + refused + " refused";
  }

  private static Markup startup(ExecutorReport last) {
    List<Markup> lines = new ArrayList<>();
    if (last.gpuStartNanos() > 0) {
      lines.add(Markup.text("GPU " + MetricUnit.NANOSECONDS.show(last.gpuStartNanos())));
    }
    long pool = last.pool().get(PoolStat.STARTUP_NANOS);
    if (pool > 0) {
      lines.add(Markup.text("pool " + MetricUnit.NANOSECONDS.show(pool)));
    }
    return Markup.lines(lines);
  }
}
