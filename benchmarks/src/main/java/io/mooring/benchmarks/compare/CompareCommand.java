package io.mooring.benchmarks.compare;

import io.mooring.benchmarks.cli.Commas;
import io.mooring.benchmarks.cli.Suggestion;
import io.mooring.benchmarks.cli.UserError;
import io.mooring.benchmarks.measure.MeasuringCommand;
import io.mooring.benchmarks.report.Difference.Verdict;
import io.mooring.benchmarks.report.Report;
import io.mooring.benchmarks.report.ReportReader;
import io.mooring.benchmarks.report.page.ReportFolder;
import io.mooring.benchmarks.report.table.ReportTables;
import io.mooring.benchmarks.stats.FalseAlarms;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code ./benchmarks/run compare}: two reports, two arms of one report, or the runs of a report
 * against themselves.
 */
@Command(
    name = "compare",
    description =
        "Names the queries in which two reports, or two arms of one, differ: regressions first.",
    customSynopsis = {
      "./benchmarks/run compare A B [--arms ARM[,ARM]] [OPTIONS]",
      "./benchmarks/run compare --within REPORT --arms ARM,ARM [OPTIONS]",
      "./benchmarks/run compare --self-check REPORT [--arms ARM[,ARM]] [OPTIONS]"
    },
    footer = "A report is a folder with a report.json, or that file, of any version. Exits 0.")
public final class CompareCommand extends MeasuringCommand {

  @Parameters(paramLabel = "REPORT", arity = "0..2", description = "The reports A and B.")
  private List<Path> reports = List.of();

  @Option(
      names = "--within",
      paramLabel = "REPORT",
      description = "Compares two arms of this report; runs that took turns are pairs.")
  private Optional<Path> within = Optional.empty();

  @Option(
      names = "--self-check",
      paramLabel = "REPORT",
      description =
          "Splits each arm's runs at random, again and again, and says how often the tests find a"
              + " difference that cannot be there.")
  private Optional<Path> selfCheck = Optional.empty();

  @Option(
      names = "--arms",
      split = Commas.OUTSIDE_BRACKETS,
      splitSynopsisLabel = ",",
      paramLabel = "ARM",
      description =
          "Arm of A and arm of B, or one arm for both (default: every arm that both have).")
  private List<String> arms = List.of();

  @Mixin private CompareOptions rules;

  @Option(
      names = "--fail-on-regression",
      description = "Exits 1 when a regression is named, for a build that shall stop then.")
  private boolean failOnRegression;

  @Option(
      names = "--splits",
      paramLabel = "N",
      defaultValue = "2000",
      description = "How often --self-check splits the runs (default: ${DEFAULT-VALUE}).")
  private int splits;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "42",
      description = "Seed of these splits (default: ${DEFAULT-VALUE}).")
  private long seed;

  @Override
  public Integer call() {
    rules.check();
    checkWhatIsAsked();
    Report report = selfCheck.isPresent() ? selfCheck(arguments()) : comparison(arguments());
    ReportFolder folder = prepareFolder();
    System.out.println(ReportTables.console(report));
    folder.write(report);
    System.out.println("Report: " + folder.path().resolve("report.html"));
    boolean worse = report.differences().stream().anyMatch(d -> d.verdict() == Verdict.REGRESSION);
    return failOnRegression && worse ? 1 : 0;
  }

  private void checkWhatIsAsked() {
    long asked = Stream.of(within, selfCheck).filter(Optional::isPresent).count();
    if (asked + (reports.isEmpty() ? 0 : 1) != 1 || reports.size() == 1) {
      throw UserError.usage("name two reports, or one with --within, or one with --self-check");
    }
    if (arms.size() > 2 || (within.isPresent() && arms.size() != 2)) {
      throw UserError.usage("--arms takes an arm of A and an arm of B, not " + arms);
    }
    if (splits < 1) {
      throw UserError.usage("--splits must be 1 or more, not " + splits);
    }
  }

  private Report comparison(List<String> arguments) {
    ReportSide a = side(within.isPresent() ? "" : "A", within.orElseGet(() -> reports.get(0)));
    ReportSide b = within.isPresent() ? a : side("B", reports.get(1));
    checkMetric(Stream.of(a, b));
    List<ArmPair> matches = matches(a, b);
    return new Comparison(a, b, matches, rules).report(arguments);
  }

  private Report selfCheck(List<String> arguments) {
    ReportSide side = side("", selfCheck.orElseThrow());
    checkMetric(Stream.of(side));
    arms.forEach(arm -> requireArm(side, arm));
    return new AaTest(
            side, arms.isEmpty() ? side.arms() : arms, rules, new FalseAlarms(splits, seed))
        .report(arguments);
  }

  private List<ArmPair> matches(ReportSide a, ReportSide b) {
    if (arms.isEmpty()) {
      return a.arms().stream()
          .filter(b.arms()::contains)
          .map(arm -> new ArmPair(a, b, arm, arm))
          .toList();
    }
    String last = arms.get(arms.size() - 1);
    requireArm(a, arms.get(0));
    requireArm(b, last);
    return List.of(new ArmPair(a, b, arms.get(0), last));
  }

  private static ReportSide side(String label, Path path) {
    return new ReportSide(label, path, ReportReader.read(path));
  }

  private void checkMetric(Stream<ReportSide> sides) {
    List<String> names = Metric.names(sides.flatMap(side -> side.report().runs().stream()));
    if (!names.contains(rules.metric)) {
      throw UserError.usage(Suggestion.unknown("metric", rules.metric, names));
    }
  }

  private static void requireArm(ReportSide side, String arm) {
    if (!side.arms().contains(arm)) {
      throw UserError.usage(Suggestion.unknown("arm", arm, side.arms()));
    }
  }
}
