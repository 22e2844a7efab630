package io.mooring.benchmarks.compare;

import io.mooring.benchmarks.report.Run;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/** Runs of arms in turns, in several processes; each process is faster or slower by chance. */
final class MadeProcesses {

  private final Random random;
  private final double between;
  private final double within;
  private Instant start = Instant.parse("2026-01-02T03:04:05Z");

  /** Standard deviations of the logarithms: {@code between} processes, {@code within} one. */
  MadeProcesses(long seed, double between, double within) {
    random = new Random(seed);
    this.between = between;
    this.within = within;
  }

  /** One query; each arm with its typical seconds, and so many rounds in each process. */
  List<Run> runs(int processes, int rounds, Map<String, Double> arms) {
    List<Run> runs = new ArrayList<>();
    for (int process = 1; process <= processes; process++) {
      Map<String, Double> typical = new HashMap<>();
      arms.forEach((arm, seconds) -> typical.put(arm, seconds * noise(between)));
      for (int round = 1; round <= rounds; round++) {
        for (String arm : new TreeMap<>(arms).keySet()) {
          int number = (process - 1) * rounds + round;
          runs.add(run(arm, process, number, typical.get(arm) * noise(within)));
        }
      }
    }
    return runs;
  }

  private double noise(double spread) {
    return Math.exp(spread * random.nextGaussian());
  }

  private Run run(String arm, int process, int round, double seconds) {
    start = start.plusSeconds(1);
    return new Run(
        "sum", arm, 4, process, round, false, "gpu", seconds, 1, 0, start.toString(), Map.of());
  }

  /** The same run in another process. */
  static Run in(int process, Run run) {
    return copy(run, process, run.startedAt());
  }

  /** The same run, begun a moment after another time. */
  static Run at(Instant time, Run run) {
    return copy(run, run.process(), time.plusMillis(1).toString());
  }

  private static Run copy(Run run, int process, String startedAt) {
    return new Run(
        run.query(),
        run.arm(),
        run.tasks(),
        process,
        run.round(),
        run.warmUp(),
        run.engine(),
        run.seconds(),
        run.bytes(),
        run.operations(),
        startedAt,
        run.metrics());
  }
}
