package io.mooring.benchmarks.report.table;

import io.mooring.benchmarks.report.Difference;
import io.mooring.benchmarks.report.SelfCheck;
import java.util.List;

/** Tables of {@code compare}: what differs, and how far the tests can be trusted. */
final class DifferenceTables {

  private DifferenceTables() {}

  /** The differences in the order of the report: regressions first. */
  static Table differences(List<Difference> differences) {
    return new Table(
        List.of(
            "verdict",
            "query",
            "tasks",
            "A",
            "B",
            "sample",
            "n",
            "A / B",
            "interval",
            "p",
            "p, Holm",
            "p, equivalence",
            "detectable",
            "test"),
        differences.stream().map(DifferenceTables::row).toList());
  }

  private static List<String> row(Difference d) {
    return List.of(
        d.verdict().toString(),
        d.query(),
        Integer.toString(d.tasks()),
        d.a(),
        d.b(),
        d.sample().toString(),
        d.samplesOfA() + " + " + d.samplesOfB(),
        Figures.exactRatio(d.ratio()),
        Figures.interval(d.low(), d.high()),
        Figures.p(d.p()),
        Figures.p(d.adjustedP()),
        Figures.p(d.equivalenceP()),
        d.detectable() == null ? "-" : Figures.percent(d.detectable() - 1),
        d.test());
  }

  /** Rates of false alarms. */
  static Table selfChecks(List<SelfCheck> checks) {
    return new Table(
        List.of(
            "query",
            "tasks",
            "arm",
            "sample",
            "n",
            "false alarms, Welch",
            "false alarms, paired",
            "drift p"),
        checks.stream()
            .map(
                c ->
                    List.of(
                        c.query(),
                        Integer.toString(c.tasks()),
                        c.arm(),
                        c.sample().toString(),
                        Integer.toString(c.samples()),
                        Figures.percent(c.welch()),
                        Figures.percent(c.paired()),
                        Figures.p(c.drift())))
            .toList());
  }
}
