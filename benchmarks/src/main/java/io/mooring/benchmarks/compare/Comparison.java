package io.mooring.benchmarks.compare;

import io.mooring.benchmarks.cli.Share;
import io.mooring.benchmarks.cli.UserError;
import io.mooring.benchmarks.report.Check;
import io.mooring.benchmarks.report.Difference;
import io.mooring.benchmarks.report.Difference.Verdict;
import io.mooring.benchmarks.report.RecordedArguments;
import io.mooring.benchmarks.report.Report;
import io.mooring.benchmarks.report.Run;
import io.mooring.benchmarks.report.Samples;
import io.mooring.benchmarks.report.Summary;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A against B: every pair of arms, judged together. */
final class Comparison {

  private static final String ONE_PROCESS =
      " and its runs are the samples: what a process has by chance (what its JIT compiled, where"
          + " its memory lies) counts as a difference; scan --processes averages that out";

  private final ReportSide a;
  private final ReportSide b;
  private final List<ArmPair> matches;
  private final CompareOptions rules;
  private final List<String> notes = new ArrayList<>();
  private final List<QueryComparison> contests = new ArrayList<>();

  Comparison(ReportSide a, ReportSide b, List<ArmPair> matches, CompareOptions rules) {
    this.a = a;
    this.b = b;
    this.matches = matches;
    this.rules = rules;
  }

  /** The report of the comparison; its machine is B's. */
  Report report(List<String> arguments) {
    ReportOrigin.differences(a, b).forEach(notes::add);
    matches.forEach(match -> contests.addAll(match.contests(rules.metric(), notes)));
    if (contests.isEmpty()) {
      throw UserError.usage("nothing to compare: no query was measured on both sides");
    }
    if (contests.stream().noneMatch(QueryComparison::paired)) {
      notes.add("A and B did not run in turns: what drifted between them counts as a difference");
    }
    noteProcesses();
    List<Difference> differences = new Classifier(rules.alpha, rules.equivalence).of(contests);
    List<Run> runs = runs();
    return new Report(
        Report.SCHEMA,
        "compare",
        RecordedArguments.recorded(arguments),
        Report.COMPLETE,
        Instant.now().toString(),
        b.report().environment(),
        configuration(),
        runs,
        Summary.of(runs, List.of()),
        checks(differences),
        differences,
        List.of(),
        List.copyOf(notes));
  }

  /** Runs of one process tell nothing of what another would have by chance. */
  private void noteProcesses() {
    long single = contests.stream().filter(c -> c.unit() == Samples.Unit.RUN).count();
    if (single > 0) {
      boolean each =
          contests.stream().allMatch(c -> c.a().processes() == 1 && c.b().processes() == 1);
      String which =
          each
              ? "each arm was one process"
              : "in %d of %d rows an arm was one process".formatted(single, contests.size());
      notes.add(which + ONE_PROCESS);
    }
  }

  private Map<String, Object> configuration() {
    Map<String, Object> all = new LinkedHashMap<>(rules.configuration());
    all.put("A", ReportOrigin.of(a));
    all.put("B", ReportOrigin.of(b));
    return all;
  }

  private List<Check> checks(List<Difference> differences) {
    if (matches.stream().allMatch(ArmPair::isSelf)) {
      return falseAlarms(differences);
    }
    List<String> worse =
        differences.stream()
            .filter(d -> d.verdict() == Verdict.REGRESSION)
            .map(Difference::label)
            .toList();
    return List.of(Check.atMost("regressions", worse.size(), 0, String.join("; ", worse)));
  }

  /**
   * The check of an A/A comparison: both sides have the same settings, so every finding is false.
   */
  private List<Check> falseAlarms(List<Difference> differences) {
    long raw = contests.stream().filter(c -> c.p().orElse(1.0) < rules.alpha).count();
    long alarms =
        differences.stream()
            .filter(d -> d.adjustedP() != null && d.adjustedP() < rules.alpha)
            .count();
    notes.add(
        "A/A: both arms have the same settings, so what is found is a false alarm: %d of %d queries"
                .formatted(raw, contests.size())
            + " before Holm's correction at "
            + Share.text(rules.alpha)
            + ", "
            + alarms
            + " after it");
    return List.of(Check.atMost("A/A: false alarms", (double) alarms, 1, "more than chance"));
  }

  private List<Run> runs() {
    List<Run> rows = new ArrayList<>();
    for (QueryComparison contest : contests) {
      contest.a().runs().forEach(run -> rows.add(named(run, contest.armA())));
      contest.b().runs().forEach(run -> rows.add(named(run, contest.armB())));
    }
    return rows.stream().distinct().toList();
  }

  private static Run named(Run run, String arm) {
    return new Run(
        run.query(),
        arm,
        run.tasks(),
        run.process(),
        run.round(),
        run.warmUp(),
        run.engine(),
        run.seconds(),
        run.bytes(),
        run.operations(),
        run.startedAt(),
        run.metrics());
  }
}
