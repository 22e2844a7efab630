package io.mooring.benchmarks.scan;

import io.mooring.benchmarks.measure.MemoryChecks;
import io.mooring.benchmarks.query.ScanQueries;
import io.mooring.benchmarks.query.Suite;
import io.mooring.benchmarks.report.Check;
import io.mooring.benchmarks.report.Run;
import io.mooring.benchmarks.report.Summary;
import io.mooring.benchmarks.store.StoreShape;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** The targets of {@code scan}, compared with the measurements. */
record ScanChecks(
    Suite suite,
    List<Run> runs,
    Summary summary,
    List<Integer> tasks,
    List<Arm> arms,
    Optional<StoreShape> store,
    List<String> problems) {

  private static final double POOL_SPEEDUP = 3;

  /** Our time over the peer's best, at most. */
  private static final Map<String, Double> AGAINST_PEER =
      Map.of(ScanQueries.SUM, 0.5, ScanQueries.LOOKUP, 0.4, ScanQueries.ALL, 0.9);

  /** A check for every target. */
  List<Check> all() {
    List<Check> checks = new ArrayList<>(List.of(equalResults()));
    if (suite.isStandard()) {
      checks.addAll(new SuiteChecks(suite, summary, most(), arms, !withoutGpu()).all());
    } else if (store.isPresent()) {
      checks.addAll(new StoreChecks(store.get(), summary, most(), arms).all());
    } else {
      checks.addAll(ofStoreSales());
    }
    checks.addAll(new MemoryChecks(runs, tasks).all());
    return checks;
  }

  private List<Check> ofStoreSales() {
    List<Check> checks = new ArrayList<>(List.of(poolSpeedup()));
    if (arms.stream().anyMatch(arm -> arm.kind() == Arm.Kind.PEER)) {
      List.of(ScanQueries.SUM, ScanQueries.LOOKUP, ScanQueries.ALL)
          .forEach(query -> checks.add(againstPeer(query, AGAINST_PEER.get(query))));
    }
    return checks;
  }

  private Check equalResults() {
    String name = "runs that failed or differ from Spark's CPU reader";
    String first = problems.isEmpty() ? "" : problems.get(0);
    return Check.atMost(name, problems.size(), 0, first);
  }

  private int most() {
    return tasks.get(tasks.size() - 1);
  }

  private boolean withoutGpu() {
    return runs.stream().noneMatch(run -> run.engine().equals("gpu"));
  }

  private Check poolSpeedup() {
    String name = "sum of every column: no-pool / pool at %d tasks".formatted(most());
    if (withoutGpu()) {
      return Check.skipped(name, ">=", POOL_SPEEDUP, "no usable GPU: the CPU path was measured");
    }
    return summary
        .comparison(ScanQueries.SUM, Arm.POOL, most())
        .filter(c -> c.base().equals(Arm.BASE))
        .map(c -> Check.atLeast(name, c.ratio(), POOL_SPEEDUP))
        .orElseGet(() -> Check.skipped(name, ">=", POOL_SPEEDUP, "not both arms were measured"));
  }

  private Check againstPeer(String query, double bound) {
    String name = "%s: pool / the peer's best at %d tasks".formatted(query, most());
    OptionalDouble peer = best(query, Arm.Kind.PEER);
    OptionalDouble pool = pooled(query);
    if (withoutGpu() || peer.isEmpty() || pool.isEmpty()) {
      return Check.skipped(name, "<=", bound, "not both were measured on a GPU");
    }
    String times = "%.3f s against %.3f s".formatted(pool.getAsDouble(), peer.getAsDouble());
    return Check.atMost(name, pool.getAsDouble() / peer.getAsDouble(), bound, times);
  }

  /** The median of the first arm with a pool. */
  private OptionalDouble pooled(String query) {
    return medians(query, arms.stream().filter(Arm::hasPool).limit(1).toList());
  }

  /** The best median of the arms of a kind. */
  private OptionalDouble best(String query, Arm.Kind kind) {
    return medians(query, arms.stream().filter(arm -> arm.kind() == kind).toList());
  }

  private OptionalDouble medians(String query, List<Arm> of) {
    return of.stream()
        .map(arm -> summary.cell(query, arm.name(), most()))
        .flatMap(Optional::stream)
        .filter(cell -> cell.engine().equals("gpu"))
        .mapToDouble(cell -> cell.seconds().median())
        .min();
  }
}
