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

  private static final double TPCDS_AGAINST_PEER = 0.7;
  private static final double TPCH_AGAINST_CPU = 0.4;
  private static final double TPCDS_AGAINST_CPU = 0.6;
  private static final double WORST_AGAINST_CPU = 1.05;

  /** The checks of this suite. */
  List<Check> all() {
    List<Check> checks = new ArrayList<>();
    if (suite == Suite.TPCH) {
      TPCH_AGAINST_PEER.entrySet().stream()
          .sorted(Map.Entry.comparingByValue())
          .forEach(
              query -> checks.add(peer(query.getKey(), query.getValue(), query.getKey()::equals)));
    } else {
      String name = "queries whose joins are all broadcast";
      checks.add(peer(name, TPCDS_AGAINST_PEER, BROADCAST::contains));
    }
    double bound = suite == Suite.TPCH ? TPCH_AGAINST_CPU : TPCDS_AGAINST_CPU;
    checks.add(cpu(bound));
    checks.add(worst());
    return checks;
  }

  private Check peer(String what, double bound, Predicate<String> chosen) {
    String name = "%s: pool / the peer's best, geometric mean at %d tasks".formatted(what, tasks);
    OptionalDouble best =
        arms.stream()
            .filter(arm -> arm.kind() == Arm.Kind.PEER)
            .map(arm -> ratio(arm.name(), chosen))
            .flatMapToDouble(OptionalDouble::stream)
            .max();
    return check(name, best, bound, "");
  }

  private Check cpu(double bound) {
    String spark = Arm.SPARK_CPU.name();
    String name =
        "all %d queries: pool / spark-cpu, geometric mean at %d tasks"
            .formatted(means().medians(spark).size(), tasks);
    return check(name, ratio(spark, query -> true), bound, "");
  }

  private Check worst() {
    String name = "the slowest query beside Spark: pool / spark-cpu at %d tasks".formatted(tasks);
    String spark = Arm.SPARK_CPU.name();
    Optional<String> slowest =
        means().medians(spark).keySet().stream()
            .filter(query -> ratio(spark, query::equals).isPresent())
            .max(Comparator.comparing(query -> ratio(spark, query::equals).orElseThrow()));
    OptionalDouble ratio =
        slowest.map(query -> ratio(spark, query::equals)).orElse(OptionalDouble.empty());
    return check(name, ratio, WORST_AGAINST_CPU, slowest.orElse(""));
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
