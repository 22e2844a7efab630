package io.mooring.benchmarks.scan;

import io.mooring.benchmarks.query.Suite;
import io.mooring.benchmarks.report.Check;
import io.mooring.benchmarks.report.GeometricMeans;
import io.mooring.benchmarks.report.Summary;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * The targets of TPC-H and TPC-DS: the pool's times against those of the peer's best arm, query by
 * query, and of Spark's CPU reader.
 *
 * @param onGpu whether anything was measured on a GPU
 */
record SuiteChecks(Suite suite, Summary summary, int tasks, List<Arm> arms, boolean onGpu) {

  private static final Map<String, Double> TPCH_AGAINST_PEER =
      Map.of("q1", 0.6, "q6", 0.8, "q19", 1.0);

  /** Queries of TPC-DS whose joins can all be broadcast. */
  private static final Set<String> BROADCAST =
      Set.of(
          "q3", "q7", "q9", "q13", "q19", "q26", "q27", "q28", "q42", "q43", "q48", "q52", "q55",
          "q88", "q96", "q98", "q99");

  private static final double BROADCAST_AGAINST_PEER = 0.7;
  private static final double TPCH_ALL_AGAINST_PEER = 0.7;
  private static final double TPCDS_ALL_AGAINST_PEER = 1.0;
  private static final double WORST_OF_TPCH_AGAINST_PEER = 1.3;
  // Stages alone, and joins without an exchange as well.
  private static final List<Double> TPCH_AGAINST_CPU = List.of(0.4, 0.15);
  private static final List<Double> TPCDS_AGAINST_CPU = List.of(0.6);
  private static final double WORST_AGAINST_CPU = 1.05;

  /** The checks of this suite. */
  List<Check> all() {
    List<Check> checks = new ArrayList<>(suite == Suite.TPCH ? tpch() : tpcds());
    List<Double> bounds = suite == Suite.TPCH ? TPCH_AGAINST_CPU : TPCDS_AGAINST_CPU;
    bounds.forEach(bound -> checks.add(cpu(bound)));
    checks.add(slowest("Spark: pool / spark-cpu", this::againstSpark, WORST_AGAINST_CPU));
    return checks;
  }

  private List<Check> tpch() {
    List<Check> checks = new ArrayList<>();
    TPCH_AGAINST_PEER.entrySet().stream()
        .sorted(Map.Entry.comparingByValue())
        .forEach(
            query -> checks.add(peer(query.getKey(), query.getValue(), query.getKey()::equals)));
    checks.add(peer(allQueries(), TPCH_ALL_AGAINST_PEER, query -> true));
    checks.add(
        slowest("the peer: pool / the peer's best", this::againstPeer, WORST_OF_TPCH_AGAINST_PEER));
    return checks;
  }

  private List<Check> tpcds() {
    return List.of(
        peer("queries whose joins are all broadcast", BROADCAST_AGAINST_PEER, BROADCAST::contains),
        peer(allQueries(), TPCDS_ALL_AGAINST_PEER, query -> true));
  }

  private String allQueries() {
    long count = summary.cells().stream().map(Summary.Cell::query).distinct().count();
    return "all %d queries".formatted(count);
  }

  private Check peer(String what, double bound, Predicate<String> chosen) {
    String name = "%s: pool / the peer's best, geometric mean at %d tasks".formatted(what, tasks);
    return check(name, againstPeer(chosen), bound, "");
  }

  private Check cpu(double bound) {
    String name = "%s: pool / spark-cpu, geometric mean at %d tasks".formatted(allQueries(), tasks);
    return check(name, againstSpark(query -> true), bound, "");
  }

  private Check slowest(
      String what, Function<Predicate<String>, OptionalDouble> ratio, double bound) {
    String name = "the slowest query beside %s at %d tasks".formatted(what, tasks);
    Optional<String> slowest =
        summary.cells().stream()
            .map(Summary.Cell::query)
            .filter(query -> ratio.apply(query::equals).isPresent())
            .max(Comparator.comparing(query -> ratio.apply(query::equals).orElseThrow()));
    OptionalDouble worst =
        slowest.map(query -> ratio.apply(query::equals)).orElse(OptionalDouble.empty());
    return check(name, worst, bound, slowest.orElse(""));
  }

  private OptionalDouble againstSpark(Predicate<String> chosen) {
    return ratio(Arm.SPARK_CPU.name(), chosen);
  }

  /** The ratio to the fastest of the peer's arms. */
  private OptionalDouble againstPeer(Predicate<String> chosen) {
    return arms.stream()
        .filter(arm -> arm.kind() == Arm.Kind.PEER)
        .map(arm -> ratio(arm.name(), chosen))
        .flatMapToDouble(OptionalDouble::stream)
        .max();
  }

  /** The first arm with a pool over another one. */
  private OptionalDouble ratio(String base, Predicate<String> chosen) {
    return arms.stream()
        .filter(Arm::hasPool)
        .findFirst()
        .map(pool -> means().ratio(pool.name(), base, chosen))
        .orElse(OptionalDouble.empty());
  }

  private GeometricMeans means() {
    return new GeometricMeans(summary, tasks);
  }

  private Check check(String name, OptionalDouble ratio, double bound, String reason) {
    return !onGpu || ratio.isEmpty()
        ? Check.skipped(name, "<=", bound, "not both were measured on a GPU")
        : Check.atMost(name, ratio.getAsDouble(), bound, reason);
  }
}
