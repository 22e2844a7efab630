package io.mooring.benchmarks.pool;

import java.util.List;
import java.util.stream.Stream;

/**
 * The first thing that each allocator does in a process that was started for it: the recorded
 * trace, or blocks of 1 KiB to 1 MiB that each thread frees at once. Each round has new processes,
 * one after the other.
 */
record FreshProcesses(PoolSession session, TraceReplays traces) implements PoolStep {

  /** Seconds in the driver: one replay is enough. */
  private static final String ONCE = PoolArm.LIBCUDF_DEFAULT;

  private List<PoolArm> traced(int round) {
    return PoolArm.NATIVE.stream()
        .filter(arm -> traces.arms().contains(arm) || (round == 1 && arm.name().equals(ONCE)))
        .filter(arm -> traces.isThere() && session.has(arm))
        .toList();
  }

  private List<PoolArm> paired() {
    return Stream.concat(PoolArm.NATIVE.stream(), PoolArm.JAVA.stream())
        .filter(arm -> !arm.name().equals(PoolArm.LIBCUDF_DEFAULT))
        .filter(session::has)
        .toList();
  }

  @Override
  public int rows() {
    int rows = session.plan().rounds() * paired().size();
    for (int round = 1; round <= session.plan().rounds(); round++) {
      rows += traced(round).size();
    }
    return rows;
  }

  @Override
  public void run() {
    for (int round = 1; round <= session.plan().rounds(); round++) {
      for (PoolArm arm : traced(round)) {
        String name = TraceReplays.nameOf(arm);
        measure(PoolRows.TRACE, name, arm, traces.poolBytes(arm), 1, traces.request(), round);
      }
    }
    int threads = session.plan().checkedThreads();
    for (int round = 1; round <= session.plan().rounds(); round++) {
      for (PoolArm arm : paired()) {
        String request = session.rateRequest("own", arm, threads, round);
        String what = PoolRows.named(PoolRows.OWN, arm.java());
        long pool = session.plan().pool().bytes();
        measure(what, arm.name(), arm, pool, threads, request, round);
      }
    }
  }

  private void measure(
      String what,
      String name,
      PoolArm arm,
      long poolBytes,
      int threads,
      String request,
      int round) {
    session.with(
        arm,
        arm.isPool() ? poolBytes : 0,
        process -> {
          boolean pinned = process.hello().get("pinned").booleanValue();
          // Each is a process of its own.
          var rows = new PoolRows(PoolRows.fresh(what), name, threads, round, round, false, pinned);
          session.recording().add(rows.counted(process.ask(request)));
        });
  }
}
