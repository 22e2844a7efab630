package io.mooring.benchmarks.scan;

import io.mooring.benchmarks.query.ScanQuery;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * All arms alive at once, at one task count: each query runs under one arm after the other, so that
 * whatever drifts on the machine drifts for all of them. The idle ones only hold their memory. With
 * several processes all of it is done so often, each time in fresh JVMs.
 *
 * @param tasks concurrent tasks
 */
record AlternatingRounds(ScanSession session, int tasks) implements Runnable {

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

  /** The rounds after those {@code before}. */
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
