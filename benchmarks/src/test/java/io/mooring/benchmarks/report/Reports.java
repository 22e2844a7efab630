package io.mooring.benchmarks.report;

import io.mooring.benchmarks.env.Environment;
import io.mooring.benchmarks.env.Environment.Gpu;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Small reports for tests. */
public final class Reports {

  private Reports() {}

  static Run run(String arm, int round, boolean warmUp, double seconds) {
    return run(arm, 1, round, warmUp, seconds);
  }

  /** A measured run of one of several processes. */
  static Run run(String arm, int process, int round, double seconds) {
    return run(arm, process, round, false, seconds);
  }

  private static Run run(String arm, int process, int round, boolean warmUp, double seconds) {
    return new Run(
        "sum",
        arm,
        4,
        process,
        round,
        warmUp,
        "gpu",
        seconds,
        8_000_000_000L,
        0,
        "2026-01-02T03:04:05Z",
        Map.of("ioNanos", 7L));
  }

  public static List<Run> runs() {
    List<Run> runs = new ArrayList<>();
    for (int round = 1; round <= 3; round++) {
      runs.add(run("no-pool", round, false, 4 + 0.1 * round));
      runs.add(run("pool", round, false, 1 + 0.1 * round));
      runs.add(run("pool", round, true, 99));
    }
    return runs;
  }

  public static Report report() {
    List<Run> runs = runs();
    return of(runs, Summary.of(runs, "no-pool"));
  }

  public static Report of(List<Run> runs, Summary summary) {
    return new Report(
        Report.SCHEMA,
        "scan",
        List.of("scan", "--rounds", "3"),
        Report.COMPLETE,
        "2026-01-02T03:04:05Z",
        new Environment(
            List.of(new Gpu("H200", "580", "143771", "5 x16")),
            "CPU",
            16,
            1L << 37,
            "Linux",
            "17",
            "4.1.3",
            "26.08.1",
            "mooring.jar",
            "abc"),
        Map.of("rounds", 3),
        runs,
        summary,
        List.of(
            Check.atLeast("sum: no-pool / pool", 3.5, 3), Check.skipped("p2p", ">=", 1, "one GPU")),
        List.of("a <note> & more"));
  }
}
