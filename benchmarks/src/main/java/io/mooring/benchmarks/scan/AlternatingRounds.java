package io.mooring.benchmarks.scan;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * All arms alive at once, at one task count: each query runs under one arm after the other, so that
 * whatever drifts on the machine drifts for all of them. The idle ones only hold their memory.
 *
 * @param tasks concurrent tasks
 */
record AlternatingRounds(ScanSession session, int tasks) implements Runnable {

  @Override
  public void run() {
    List<ArmWorker> workers = new ArrayList<>();
    try {
      for (Arm arm : session.plan().arms()) {
        workers.add(ArmWorker.open(session, arm, tasks));
      }
      workers.forEach(ArmWorker::verify);
      rounds(workers, session.plan().warmup(), true);
      rounds(workers, session.plan().rounds(), false);
      session.traceOut().filter(out -> isLast()).ifPresent(out -> trace(workers, out));
    } finally {
      workers.forEach(ArmWorker::close);
    }
  }

  private boolean isLast() {
    return Collections.max(session.plan().tasks()) == tasks;
  }

  private static void trace(List<ArmWorker> workers, TraceOut out) {
    // One trace, whatever the number of pools.
    workers.stream().filter(ArmWorker::hasPool).findFirst().ifPresent(worker -> worker.trace(out));
  }

  private void rounds(List<ArmWorker> workers, int count, boolean warmUp) {
    List<ArmWorker> order = new ArrayList<>(workers);
    for (int round = 1; round <= count; round++) {
      for (ScanQuery query : session.plan().queries()) {
        for (ArmWorker worker : order) {
          worker.run(query, round, warmUp);
        }
      }
      Collections.rotate(order, 1); // no arm is always the first
    }
  }
}
