package io.mooring.benchmarks.scan;

/**
 * One JVM at a time, at one task count: for machines that cannot hold all arms at once. Each round
 * starts each arm anew and warms it up again.
 *
 * @param tasks concurrent tasks
 */
record ExclusiveRounds(ScanSession session, int tasks) implements Runnable {

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
