package io.mooring.benchmarks.compare;

import io.mooring.benchmarks.cli.Share;
import io.mooring.benchmarks.cli.UserError;
import io.mooring.benchmarks.report.Check;
import io.mooring.benchmarks.report.RecordedArguments;
import io.mooring.benchmarks.report.Report;
import io.mooring.benchmarks.report.Run;
import io.mooring.benchmarks.report.Samples;
import io.mooring.benchmarks.report.SelfCheck;
import io.mooring.benchmarks.report.Summary;
import io.mooring.benchmarks.stats.FalseAlarms;
import io.mooring.benchmarks.stats.LogRatio;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The samples of a report against themselves: how often is a difference found that is not there?
 */
final class AaTest {

  /** The least number of samples; fewer have too few halves. */
  private static final int FEWEST = 4;

  /** Below this the halves are few enough to make a rate coarse. */
  private static final int MANY = 10;

  private static final String ONE_PROCESS =
      "fewer than "
          + FEWEST
          + " processes are too few to check: the runs of one of them are checked, which says nothing"
          + " of what processes differ by";

  private final ReportSide side;
  private final List<String> arms;
  private final CompareOptions rules;
  private final FalseAlarms alarms;
  private final List<String> notes = new ArrayList<>();
  private final List<SelfCheck> rows = new ArrayList<>();
  private final List<List<Double>> welch = new ArrayList<>();
  private final List<Run> runs = new ArrayList<>();

  AaTest(ReportSide side, List<String> arms, CompareOptions rules, FalseAlarms alarms) {
    this.side = side;
    this.arms = arms;
    this.rules = rules;
    this.alarms = alarms;
  }

  Report report(List<String> arguments) {
    arms.forEach(arm -> side.runs(arm).forEach((key, all) -> check(arm, key, all)));
    if (rows.isEmpty()) {
      throw UserError.usage("nothing to check: no query has " + FEWEST + " samples");
    }
    notes.add(
        "%d random splits of each query's samples; alpha is %s. A sound test is near it"
            .formatted(alarms.splits(), Share.text(rules.alpha)));
    if (rows.stream().anyMatch(row -> row.samples() < MANY)) {
      notes.add("fewer than %d samples have few halves: their rates are coarse".formatted(MANY));
    }
    if (rows.stream().anyMatch(row -> row.sample() == Samples.Unit.RUN)) {
      notes.add(ONE_PROCESS);
    }
    return new Report(
        Report.SCHEMA,
        "compare",
        RecordedArguments.recorded(arguments),
        Report.COMPLETE,
        Instant.now().toString(),
        side.report().environment(),
        configuration(),
        runs,
        Summary.of(runs, List.of()),
        checks(),
        List.of(),
        rows,
        List.copyOf(notes));
  }

  private void check(String arm, ReportSide.Key key, List<Run> all) {
    Metric metric = rules.metric();
    Samples samples = samples(all.stream().filter(run -> metric.of(run).isPresent()).toList());
    List<Double> figures = samples.figures(metric::figure);
    if (figures.size() < FEWEST) {
      notes.add(
          "query %s, %d tasks, arm %s left out: %d samples have the metric, it takes %d"
              .formatted(key.query(), key.tasks(), arm, figures.size(), FEWEST));
      return;
    }
    List<Double> unpaired = alarms.welch(figures);
    int half = figures.size() / 2;
    welch.add(unpaired);
    runs.addAll(samples.runs());
    rows.add(
        new SelfCheck(
            key.query(),
            key.tasks(),
            arm,
            samples.unit(),
            figures.size(),
            FalseAlarms.rate(unpaired, rules.alpha),
            FalseAlarms.rate(alarms.paired(figures), rules.alpha),
            LogRatio.welch(figures.subList(0, half), figures.subList(half, figures.size()))
                .map(LogRatio::pValue)
                .orElse(null)));
  }

  /** The processes, or where they are too few to check, the runs of the one that has the most. */
  private static Samples samples(List<Run> runs) {
    Samples processes = Samples.of(runs, Samples.Unit.PROCESS);
    if (processes.count() >= FEWEST) {
      return processes;
    }
    List<Run> one =
        processes.groups().stream().max(Comparator.comparingInt(List::size)).orElse(List.of());
    return Samples.of(one, Samples.Unit.RUN);
  }

  private List<Check> checks() {
    double any = FalseAlarms.familyRate(welch, rules.alpha, 0);
    notes.add(
        String.format(
            Locale.ROOT,
            "an A/A comparison of all %d queries raises an alarm after Holm's correction in %s",
            welch.size(),
            Share.text(any)));
    return List.of(
        Check.atMost(
            "share of A/A comparisons with more than one false alarm",
            FalseAlarms.familyRate(welch, rules.alpha, 1),
            rules.alpha,
            "the samples of a query depend on each other"));
  }

  private Map<String, Object> configuration() {
    Map<String, Object> all = new LinkedHashMap<>(rules.configuration());
    all.put("arms", arms);
    all.put("splits", alarms.splits());
    all.put("seed", alarms.seed());
    all.put("report", ReportOrigin.of(side));
    return all;
  }
}
