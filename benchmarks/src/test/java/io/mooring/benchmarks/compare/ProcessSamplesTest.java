package io.mooring.benchmarks.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.mooring.benchmarks.report.Difference;
import io.mooring.benchmarks.report.Difference.Verdict;
import io.mooring.benchmarks.report.Report;
import io.mooring.benchmarks.report.Run;
import io.mooring.benchmarks.report.Samples;
import io.mooring.benchmarks.report.SelfCheck;
import io.mooring.benchmarks.report.page.ReportFolder;
import io.mooring.benchmarks.stats.FalseAlarms;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Arms whose processes differ by 5 % by chance and whose runs within a process differ by 1 %. The
 * seed is fixed, and the bounds are three standard errors of a count wide.
 */
class ProcessSamplesTest {

  private static final int COMPARISONS = 1000;
  private static final double ALPHA = 0.05;
  private static final double REACH = 3 * Math.sqrt(ALPHA * (1 - ALPHA) / COMPARISONS);
  private static final int PROCESSES = 6;
  private static final int ROUNDS = 5;

  private final MadeProcesses made = new MadeProcesses(20260103, 0.05, 0.01);
  private final CompareOptions rules = rules();

  private static CompareOptions rules() {
    CompareOptions rules = new CompareOptions();
    rules.alpha = ALPHA;
    rules.equivalence = 0.02;
    return rules;
  }

  private static ReportSide side(String label, List<Run> runs) {
    Map<String, Object> arms = Map.of("pool", "same", "pool#2", "same");
    return new ReportSide(
        label, Path.of(label + "report"), MadeReports.report(Map.of("arms", arms), runs));
  }

  /** Both arms of one report, which took turns. */
  private Report inTurns(List<Run> runs) {
    ReportSide side = side("", runs);
    ArmPair match = new ArmPair(side, side, "pool", "pool#2");
    return new Comparison(side, side, List.of(match), rules).report(List.of("compare"));
  }

  /** One arm of each of two reports, which did not. */
  private Report apart(List<Run> a, List<Run> b) {
    ReportSide first = side("A", a);
    ReportSide second = side("B", b);
    ArmPair match = new ArmPair(first, second, "pool", "pool");
    return new Comparison(first, second, List.of(match), rules).report(List.of("compare"));
  }

  private List<Run> twins() {
    return made.runs(PROCESSES, ROUNDS, Map.of("pool", 1.0, "pool#2", 1.0));
  }

  private List<Run> alone() {
    return made.runs(PROCESSES, ROUNDS, Map.of("pool", 1.0));
  }

  /** The runs as if nobody knew which was of which process. */
  private static List<Run> blind(List<Run> runs) {
    return runs.stream().map(run -> MadeProcesses.in(1, run)).toList();
  }

  private static int alarms(Report report) {
    return report.differences().get(0).p() < ALPHA ? 1 : 0;
  }

  @Test
  void ofArmsInTurnsOnlyProcessesRaiseAsFewFalseAlarmsAsAlpha() {
    int byProcess = 0;
    int byRun = 0;
    for (int i = 0; i < COMPARISONS; i++) {
      List<Run> runs = twins();
      byProcess += alarms(inTurns(runs));
      byRun += alarms(inTurns(blind(runs)));
    }
    assertThat(byProcess / (double) COMPARISONS).isEqualTo(ALPHA, within(REACH));
    assertThat(byRun / (double) COMPARISONS).isGreaterThan(0.3);
  }

  @Test
  void ofTwoReportsOnlyProcessesRaiseAsFewFalseAlarmsAsAlpha() {
    int byProcess = 0;
    int byRun = 0;
    for (int i = 0; i < COMPARISONS; i++) {
      List<Run> a = alone();
      List<Run> b = alone();
      byProcess += alarms(apart(a, b));
      byRun += alarms(apart(blind(a), blind(b)));
    }
    assertThat(byProcess / (double) COMPARISONS).isEqualTo(ALPHA, within(REACH));
    assertThat(byRun / (double) COMPARISONS).isGreaterThan(0.3);
  }

  @Test
  void oneProcessOfEachArmIsAlmostAlwaysAFalseAlarm() {
    int alarms = 0;
    for (int i = 0; i < COMPARISONS; i++) {
      alarms += alarms(inTurns(made.runs(1, 20, Map.of("pool", 1.0, "pool#2", 1.0))));
    }
    assertThat(alarms / (double) COMPARISONS).isGreaterThan(0.8);
  }

  @Test
  void processesInTurnsArePairs() {
    Difference turns = inTurns(twins()).differences().get(0);
    assertThat(turns.test()).isEqualTo("paired");
    assertThat(turns.sample()).isEqualTo(Samples.Unit.PROCESS);
    assertThat(turns.samplesOfA()).isEqualTo(PROCESSES);
    assertThat(apart(alone(), alone()).differences().get(0).test()).isEqualTo("Welch");
  }

  @Test
  void aLostRoundLeavesThePairsOfProcesses() {
    List<Run> runs = twins();
    List<Run> fewer =
        runs.stream().filter(run -> !(run.arm().equals("pool") && run.round() == 7)).toList();
    assertThat(inTurns(fewer).differences().get(0).test()).isEqualTo("paired");
    assertThat(inTurns(blind(fewer)).differences().get(0).test()).isEqualTo("Welch");
    List<Run> without =
        runs.stream().filter(run -> !(run.arm().equals("pool") && run.process() == 2)).toList();
    Difference unequal = inTurns(without).differences().get(0);
    assertThat(unequal.test()).isEqualTo("Welch");
    assertThat(unequal.samplesOfA()).isEqualTo(PROCESSES - 1);
    assertThat(unequal.samplesOfB()).isEqualTo(PROCESSES);
  }

  @Test
  void processesThatOverlapAreNoPairs() {
    List<Run> twins = twins();
    Instant first = Instant.parse(twins.get(0).startedAt());
    List<Run> swapped =
        twins.stream()
            .map(run -> run.round() == ROUNDS + 1 ? MadeProcesses.at(first, run) : run)
            .toList();
    assertThat(inTurns(swapped).differences().get(0).test()).isEqualTo("Welch");
  }

  @Test
  void aRealDifferenceIsFoundAmongProcesses() {
    Report report = inTurns(made.runs(10, ROUNDS, Map.of("pool", 1.0, "pool#2", 1.2)));
    Difference slower = report.differences().get(0);
    assertThat(slower.verdict()).isEqualTo(Verdict.REGRESSION);
    assertThat(slower.ratio()).isEqualTo(1 / 1.2, within(0.06));
  }

  @Test
  void oneProcessOfAnArmIsSaidOnce() {
    String said = "what a process has by chance";
    assertThat(inTurns(blind(twins())).notes())
        .filteredOn(note -> note.contains(said))
        .singleElement()
        .asString()
        .startsWith("each arm was one process")
        .contains("scan --processes");
    assertThat(inTurns(twins()).notes()).noneMatch(note -> note.contains(said));
    Report mixed = apart(alone(), blind(alone()));
    assertThat(mixed.differences().get(0).sample()).isEqualTo(Samples.Unit.RUN);
    assertThat(mixed.differences().get(0).samplesOfA()).isEqualTo(PROCESSES * ROUNDS);
    assertThat(mixed.notes())
        .filteredOn(note -> note.contains(said))
        .singleElement()
        .asString()
        .startsWith("in 1 of 1 rows an arm was one process");
  }

  private SelfCheck selfCheck(List<Run> runs) {
    AaTest check = new AaTest(side("", runs), List.of("pool"), rules, new FalseAlarms(500, 1));
    return check.report(List.of("compare")).selfChecks().get(0);
  }

  @Test
  void theSelfCheckIsOfProcessesWhereThereAreEnough() {
    SelfCheck many = selfCheck(made.runs(12, 3, Map.of("pool", 1.0)));
    assertThat(many.sample()).isEqualTo(Samples.Unit.PROCESS);
    assertThat(many.samples()).isEqualTo(12);
    assertThat(many.welch()).isBetween(0.01, 0.1);
    SelfCheck few = selfCheck(made.runs(3, 20, Map.of("pool", 1.0)));
    assertThat(few.sample()).isEqualTo(Samples.Unit.RUN);
    assertThat(few.samples()).as("the runs of one process").isEqualTo(20);
    assertThat(few.welch()).isBetween(0.01, 0.1);
  }

  @Test
  void aReportWithProcessesIsReadBack(@TempDir Path folder) {
    Report report = inTurns(twins());
    new ReportFolder(folder).write(report);
    Report read = new ReportFolder(folder).read();
    assertThat(read.runs()).isEqualTo(report.runs());
    assertThat(read.differences()).isEqualTo(report.differences());
  }
}
