package io.mooring.benchmarks.pool;

import io.mooring.benchmarks.report.Check;
import io.mooring.benchmarks.report.Summary;
import io.mooring.benchmarks.report.Summary.Cell;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** The targets of {@code pool}, compared with the measurements. */
record PoolChecks(PoolPlan plan, Summary summary, boolean hasTrace) {

  private static final double TRACE_RATIO = 1.5;
  private static final double TRACE_P99_RATIO = 1;
  private static final double JAVA_RATIO = 10;
  private static final double NATIVE_RATIO = 3;
  private static final double READY_RATIO = 10;
  private static final double FIRST_MILLISECONDS = 10;
  private static final double CROSS_RATIO = 0.5;
  private static final double COPY_RATIO = 0.98;
  private static final double LOSS_PERCENT = 12.5;

  /** Fresh processes are held against fresh ones, aged against aged. */
  private static final List<UnaryOperator<String>> AGES = List.of(PoolRows::fresh, PoolRows::aged);

  /** A check for every target, those that scans feel first. */
  List<Check> all() {
    List<Check> checks = new ArrayList<>();
    if (hasTrace) {
      AGES.forEach(age -> checks.add(trace(age)));
      AGES.forEach(age -> checks.add(traceP99(age)));
    }
    for (UnaryOperator<String> age : AGES) {
      checks.add(faster(age, PoolArm.MOORING, PoolArm.PINNED_MEMORY_POOL, true, JAVA_RATIO));
      checks.add(faster(age, PoolArm.LIBCUDF.name(), PoolArm.RMM, false, NATIVE_RATIO));
    }
    checks.add(ready());
    checks.add(first());
    checks.add(crossing(PoolArm.BUFFERS.name(), false));
    checks.add(crossing(PoolArm.LIBCUDF.name(), false));
    checks.add(crossing(PoolArm.MOORING, true));
    if (hasTrace) {
      checks.add(lossOfBytes());
    }
    checks.add(copies());
    return checks;
  }

  private Check trace(UnaryOperator<String> age) {
    String query = age.apply(PoolRows.TRACE);
    return ratio(
        query + " of a real scan: seconds of rmm-pool / mooring",
        TRACE_RATIO,
        cell(query, PoolArm.RMM, 1),
        cell(query, PoolArm.MOORING, 1),
        PoolChecks::seconds);
  }

  private Check traceP99(UnaryOperator<String> age) {
    String query = age.apply(PoolRows.TRACE);
    return ratio(
        query + " of a real scan: p99 of an allocation, rmm-pool / mooring",
        TRACE_P99_RATIO,
        cell(query, PoolArm.RMM, 1),
        cell(query, PoolArm.MOORING, 1),
        cell -> cell.metrics().getOrDefault("p99_ns", Double.NaN));
  }

  private Check ready() {
    String size = plan.largestSize().text();
    String name = "pool of %s ready: seconds of cudaHostAlloc / mooring".formatted(size);
    return ratio(
        name,
        READY_RATIO,
        cell(PoolRows.READY + ", " + size, PoolArm.HOST_ALLOC, 1),
        cell(PoolRows.READY + ", " + size, PoolArm.MOORING, 1),
        PoolChecks::seconds);
  }

  private Check first() {
    String size = plan.largestSize().text();
    String name = "first buffer of a pool of %s, ms".formatted(size);
    if (!plan.gpu()) {
      return Check.skipped(name, "<=", FIRST_MILLISECONDS, PoolPlan.NO_GPU);
    }
    return cell(PoolRows.FIRST + ", " + size, PoolArm.MOORING, 1)
        .filter(PoolChecks::isPinned)
        .map(c -> Check.atMost(name, c.seconds().median() * 1000, FIRST_MILLISECONDS, "later"))
        .orElseGet(() -> missing(name, "<=", FIRST_MILLISECONDS));
  }

  private Check faster(
      UnaryOperator<String> age, String arm, String peer, boolean java, double bound) {
    int threads = plan.checkedThreads();
    String query = age.apply(PoolRows.named(PoolRows.OWN, java));
    String name =
        "%s, %d threads, 1 KiB to 1 MiB: rate of %s / %s".formatted(query, threads, arm, peer);
    return ratio(
        name, bound, cell(query, arm, threads), cell(query, peer, threads), PoolChecks::rate);
  }

  private Check crossing(String arm, boolean java) {
    int threads = plan.checkedThreads();
    String cross = PoolRows.aged(PoolRows.named(PoolRows.CROSS, java));
    String own = PoolRows.aged(PoolRows.named(PoolRows.RING, java));
    String name =
        "%s, %d threads: rate freed by another / by the own thread, in the same batches, %s"
            .formatted(java ? "Java" : "native", threads, arm);
    return ratio(
        name, CROSS_RATIO, cell(cross, arm, threads), cell(own, arm, threads), PoolChecks::rate);
  }

  private Check copies() {
    String name = "bandwidth of a pool buffer / cudaHostAlloc memory, the lesser of H2D and D2H";
    List<Check> both =
        Stream.of("H2D", "D2H")
            .map(
                way ->
                    ratio(
                        name,
                        COPY_RATIO,
                        cell(way, PoolArm.HOST_ALLOC, 1),
                        cell(way, PoolArm.MOORING, 1),
                        PoolChecks::seconds))
            .toList();
    return both.stream()
        .filter(check -> check.value() != null)
        .min(Comparator.comparing(Check::value))
        .orElse(both.get(0));
  }

  private Check lossOfBytes() {
    String name = "lost to rounding, bytes granted over bytes asked for in the trace - 1, %";
    return cell(PoolRows.fresh(PoolRows.TRACE), PoolArm.MOORING, 1)
        .map(c -> Check.atMost(name, lostPercent(c), LOSS_PERCENT, "more is lost"))
        .orElseGet(() -> missing(name, "<=", LOSS_PERCENT));
  }

  private static double lostPercent(Cell trace) {
    double granted = trace.metrics().getOrDefault("granted_bytes", Double.NaN);
    return 100 * (granted / trace.metrics().getOrDefault("requested_bytes", Double.NaN) - 1);
  }

  private Check ratio(
      String name,
      double bound,
      Optional<Cell> above,
      Optional<Cell> below,
      ToDoubleFunction<Cell> figure) {
    if (!plan.gpu()) {
      return Check.skipped(name, ">=", bound, PoolPlan.NO_GPU);
    }
    if (above.filter(PoolChecks::isPinned).isEmpty()
        || below.filter(PoolChecks::isPinned).isEmpty()) {
      return missing(name, ">=", bound);
    }
    double value = figure.applyAsDouble(above.get()) / figure.applyAsDouble(below.get());
    return Check.atLeast(name, value, bound);
  }

  private static Check missing(String name, String relation, double bound) {
    return Check.skipped(name, relation, bound, "not measured; the notes say why");
  }

  private Optional<Cell> cell(String query, String arm, int threads) {
    return summary.cell(query, arm, threads);
  }

  private static boolean isPinned(Cell cell) {
    return cell.engine().equals("gpu");
  }

  private static double seconds(Cell cell) {
    return cell.seconds().median();
  }

  private static double rate(Cell cell) {
    return cell.operationsPerSecond();
  }
}
