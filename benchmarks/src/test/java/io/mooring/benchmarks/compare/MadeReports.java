package io.mooring.benchmarks.compare;

import io.mooring.benchmarks.env.Environment;
import io.mooring.benchmarks.report.Report;
import io.mooring.benchmarks.report.Run;
import io.mooring.benchmarks.report.Summary;
import io.mooring.benchmarks.report.page.ReportFolder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.ToDoubleBiFunction;

/** Reports of arms that take turns, with log-normal times of known means. */
final class MadeReports {

  private static final Map<String, Double> SPREADS =
      new TreeMap<>(Map.of("slow", 0.01, "fast", 0.01, "same", 0.01, "noisy", 0.4));

  private final Random random;
  private Instant start = Instant.parse("2026-01-02T03:04:05Z");

  MadeReports(long seed) {
    random = new Random(seed);
  }

  /** Each arm with its typical seconds. */
  void write(Path folder, int rounds, Map<String, Double> arms) {
    write(folder, rounds, arms, 1);
  }

  /**
   * Writes a report where runs of the query slow take {@code factor} times as long, of fast the
   * inverse.
   */
  void write(Path folder, int rounds, Map<String, Double> arms, double factor) {
    Map<String, Double> factors = Map.of("slow", factor, "fast", 1 / factor);
    write(folder, rounds, arms, (query, round) -> factors.getOrDefault(query, 1.0));
  }

  /** One arm whose runs get slower until the last takes {@code factor} times as long. */
  void drifting(Path folder, int rounds, double factor) {
    write(
        folder,
        rounds,
        Map.of("pool", 1.0),
        (query, round) ->
            query.equals("noisy")
                ? Math.pow(factor, 10.0 * round / rounds)
                : Math.pow(factor, (double) round / rounds));
  }

  private void write(
      Path folder,
      int rounds,
      Map<String, Double> arms,
      ToDoubleBiFunction<String, Integer> factor) {
    List<Run> runs = new ArrayList<>();
    start = start.plus(Duration.ofDays(1));
    for (int round = 1; round <= rounds; round++) {
      for (String query : SPREADS.keySet()) {
        for (String arm : new TreeMap<>(arms).keySet()) {
          double noise = Math.exp(SPREADS.get(query) * random.nextGaussian());
          double seconds = arms.get(arm) * factor.applyAsDouble(query, round) * noise;
          runs.add(run(query, arm, round, seconds, start.plusSeconds(runs.size())));
        }
      }
    }
    save(folder, arms, runs);
  }

  private static Run run(String query, String arm, int round, double seconds, Instant start) {
    Map<String, Long> metrics = Map.of("rows", Math.round(seconds * 100_000));
    return new Run(
        query, arm, 4, 1, round, false, "gpu", seconds, 1 << 30, 0, start.toString(), metrics);
  }

  private static void save(Path folder, Map<String, Double> arms, List<Run> runs) {
    Map<String, Object> settings = new TreeMap<>();
    arms.forEach((arm, seconds) -> settings.put(arm, Map.of("seconds", seconds)));
    new ReportFolder(made(folder)).write(report(Map.of("arms", settings), runs));
  }

  /** A report of a scan with these settings. */
  static Report report(Map<String, Object> configuration, List<Run> runs) {
    Environment machine =
        new Environment(List.of(), "CPU", 2, 1L << 33, "Linux", "17", "4", "26", "a.jar", "abc");
    return new Report(
        Report.SCHEMA,
        "scan",
        List.of("scan"),
        Report.COMPLETE,
        "2026-01-02T03:04:05Z",
        machine,
        configuration,
        runs,
        Summary.of(runs, "no-pool"),
        List.of(),
        List.of());
  }

  private static Path made(Path folder) {
    try {
      return Files.createDirectories(folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
