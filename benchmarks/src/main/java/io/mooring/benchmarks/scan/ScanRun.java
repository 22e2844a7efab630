package io.mooring.benchmarks.scan;

import io.mooring.benchmarks.env.Environment;
import io.mooring.benchmarks.measure.MeasuredRun;
import io.mooring.benchmarks.query.ScanQuery;
import io.mooring.benchmarks.report.Check;
import io.mooring.benchmarks.report.Run;
import io.mooring.benchmarks.report.StageBreakdown;
import io.mooring.benchmarks.report.Summary;
import io.mooring.benchmarks.report.page.ReportFolder;
import io.mooring.benchmarks.store.ShapedStore;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Runs a plan to its end, or to Ctrl-C, and writes the report either way. */
final class ScanRun {

  /** Noted before the first run, or as soon as it is known. */
  static final String NO_GPU = "No usable GPU: measuring the CPU path";

  private final ScanSession session;
  private final Environment environment;
  private final ReportFolder folder;
  private final List<String> arguments;

  ScanRun(
      ScanSession session, Environment environment, ReportFolder folder, List<String> arguments) {
    this.session = session;
    this.environment = environment;
    this.folder = folder;
    this.arguments = arguments;
  }

  /** Measures and writes the report; returns 0 when all results were right, else 1. */
  int call() {
    MeasuredRun.About about =
        new MeasuredRun.About(
            session::configuration, bases(), this::checks, summary -> "", session.workers()::kill);
    MeasuredRun run =
        new MeasuredRun("scan", arguments, environment, folder, session.recording(), about);
    int exitCode = run.call(session.plan().totalRuns(), this::measure);
    printBottlenecks();
    advice().map(Advice::note).ifPresent(System.out::println);
    return exitCode;
  }

  private void measure() {
    for (int tasks : session.plan().tasks()) {
      Runnable rounds =
          session.plan().exclusive()
              ? new ExclusiveRounds(session, tasks)
              : new AlternatingRounds(session, tasks);
      rounds.run();
    }
    noteEngine();
    advice().ifPresent(advice -> session.recording().note(advice.note()));
  }

  private Optional<Advice> advice() {
    return Advice.of(session.recording().runs(), session.plan().arms());
  }

  private void noteEngine() {
    List<Run> runs = session.recording().runs();
    boolean onGpu = runs.stream().anyMatch(run -> run.engine().equals("gpu"));
    if (!onGpu && !environment.gpus().isEmpty()) {
      session.recording().note(NO_GPU + " (the workers' logs say why)");
    }
  }

  /** Prints the stage with the largest share of each query, at the most tasks. */
  private void printBottlenecks() {
    int most = Collections.max(session.plan().tasks());
    String bottlenecks =
        StageBreakdown.of(session.recording().runs()).stream()
            .filter(cell -> cell.tasks() == most && cell.arm().startsWith(Arm.POOL))
            .map(cell -> cell.query() + " (" + cell.arm() + "): " + cell.stages().bottleneck())
            .collect(Collectors.joining(", "));
    if (!bottlenecks.isEmpty()) {
      System.out.println("Bottlenecks at " + most + " tasks: " + bottlenecks);
    }
  }

  private List<Check> checks(Summary summary) {
    return new ScanChecks(
            session.plan().suite(),
            session.recording().runs(),
            summary,
            session.plan().tasks(),
            session.plan().arms(),
            session.store().map(ShapedStore::shape),
            session.recording().problems())
        .all();
  }

  /** Arms that the others are compared with: no pool, or else the first arm. */
  private List<String> bases() {
    return List.of(Arm.BASE, session.plan().arms().get(0).name());
  }

  /**
   * One JVM at a time, at one task count: for machines that cannot hold all arms at once. Each
   * round starts each arm anew and warms it up again.
   *
   * @param tasks concurrent tasks
   */
  private record ExclusiveRounds(ScanSession session, int tasks) implements Runnable {

    @Override
    public void run() {
      for (int round = 1; round <= session.plan().rounds(); round++) {
        for (Arm arm : session.plan().arms()) {
          oneArm(arm, round);
        }
      }
    }

    private void oneArm(Arm arm, int round) {
      try (ArmWorker worker = ArmWorker.open(session, arm, tasks, round)) {
        if (round == 1) {
          worker.verify();
        }
        for (int i = 0; i < session.plan().warmup(); i++) {
          session.plan().queries().forEach(query -> worker.run(query, round, true));
        }
        session.plan().queries().forEach(query -> worker.run(query, round, false));
      }
    }
  }

  /**
   * All arms alive at once, at one task count: each query runs under one arm after the other, so
   * that whatever drifts on the machine drifts for all of them. The idle ones only hold their
   * memory. With several processes all of it is done so often, each time in fresh JVMs.
   *
   * @param tasks concurrent tasks
   */
  private record AlternatingRounds(ScanSession session, int tasks) implements Runnable {

    @Override
    public void run() {
      for (int process = 1; process <= session.plan().processes(); process++) {
        oneProcess(process);
      }
    }

    private void oneProcess(int process) {
      ScanPlan plan = session.plan();
      List<Arm> arms = new ArrayList<>(plan.arms());
      Collections.rotate(arms, process - 1); // no arm always starts first
      List<ArmWorker> workers = new ArrayList<>();
      try {
        arms.forEach(arm -> workers.add(ArmWorker.open(session, arm, tasks, process)));
        if (process == 1) {
          workers.forEach(ArmWorker::verify);
        }
        rounds(workers, (process - 1) * plan.warmup(), plan.warmup(), true);
        rounds(workers, (process - 1) * plan.rounds(), plan.rounds(), false);
        session.traceOut().filter(out -> isLast(process)).ifPresent(out -> trace(workers, out));
      } finally {
        workers.forEach(ArmWorker::close);
      }
    }

    private boolean isLast(int process) {
      return process == session.plan().processes()
          && Collections.max(session.plan().tasks()) == tasks;
    }

    /** Records one trace, of the first arm with a pool, whatever the number of pools. */
    private void trace(List<ArmWorker> workers, TraceFile out) {
      session.plan().arms().stream()
          .filter(Arm::hasPool)
          .findFirst()
          .flatMap(arm -> workers.stream().filter(worker -> worker.isOf(arm)).findFirst())
          .ifPresent(worker -> worker.trace(out));
    }

    /** Runs {@code count} rounds, numbered from {@code before + 1}. */
    private void rounds(List<ArmWorker> workers, int before, int count, boolean warmUp) {
      List<ArmWorker> order = new ArrayList<>(workers);
      for (int round = before + 1; round <= before + count; round++) {
        for (ScanQuery query : session.plan().queries()) {
          for (ArmWorker worker : order) {
            worker.run(query, round, warmUp);
          }
        }
        Collections.rotate(order, 1); // no arm is always the first
      }
    }
  }
}
