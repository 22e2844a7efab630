package io.mooring.benchmarks.scan;

import io.mooring.benchmarks.query.ScanQueries;
import io.mooring.benchmarks.report.Check;
import io.mooring.benchmarks.report.Summary;
import io.mooring.benchmarks.store.StoreShape;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** The targets of {@code scan --store}: sums of every column, at the most tasks. */
record StoreChecks(StoreShape shape, Summary summary, int tasks, List<Arm> arms) {

  private static final String REQUESTS = "spark.mooring.scan.storeRequests";
  private static final double OF_BANDWIDTH = 0.8;
  private static final double OVER_PEER = 2;
  private static final double OVER_CPU = 5;

  /** A check for every target. */
  List<Check> all() {
    List<Check> checks = new ArrayList<>();
    arms.stream()
        .filter(arm -> arm.hasPool() && arm.own().containsKey(REQUESTS))
        .forEach(arm -> checks.add(ofBandwidth(arm)));
    checks.add(over("the peer's best", Arm.Kind.PEER, OVER_PEER));
    checks.add(over(Arm.SPARK_CPU.name(), Arm.Kind.SPARK_CPU, OVER_CPU));
    return checks;
  }

  private Check ofBandwidth(Arm arm) {
    int requests = Integer.parseInt(arm.own().get(REQUESTS));
    String name =
        "sum: bytes a second of %s / what %d requests can bring".formatted(arm.name(), requests);
    return cell(arm)
        .map(cell -> cell.bytesPerSecond() / shape.bytesPerSecond(requests))
        .map(share -> Check.atLeast(name, share, OF_BANDWIDTH))
        .orElseGet(() -> skipped(name, OF_BANDWIDTH));
  }

  private Check over(String what, Arm.Kind kind, double bound) {
    Optional<Arm> pool = poolArm();
    String name =
        "sum: %s / %s at %d tasks".formatted(what, pool.map(Arm::name).orElse("pool"), tasks);
    OptionalDouble other = best(arms.stream().filter(arm -> arm.kind() == kind).toList());
    OptionalDouble ours = best(pool.stream().toList());
    return other.isEmpty() || ours.isEmpty()
        ? skipped(name, bound)
        : Check.atLeast(name, other.getAsDouble() / ours.getAsDouble(), bound);
  }

  /**
   * The arm that users see: the one with default settings where it was measured, else the first.
   */
  private Optional<Arm> poolArm() {
    List<Arm> pools = arms.stream().filter(Arm::hasPool).toList();
    return pools.stream()
        .filter(arm -> arm.own().isEmpty())
        .findFirst()
        .or(() -> pools.stream().findFirst());
  }

  private OptionalDouble best(List<Arm> of) {
    return of.stream()
        .map(this::cell)
        .flatMap(Optional::stream)
        .mapToDouble(cell -> cell.seconds().median())
        .min();
  }

  /** What an arm measured; nothing where it should have been on a GPU and was not. */
  private Optional<Summary.Cell> cell(Arm arm) {
    return summary
        .cell(ScanQueries.SUM, arm.name(), tasks)
        .filter(cell -> !arm.usesGpu() || cell.engine().equals("gpu"));
  }

  private static Check skipped(String name, double bound) {
    return Check.skipped(name, ">=", bound, "not both were measured, or not on a GPU");
  }
}
