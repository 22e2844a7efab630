package io.mooring.benchmarks.pool;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Blocks of 1 KiB to 1 MiB allocated and freed by many threads. Every allocator has a process of
 * its own, all alive side by side, and they take turns.
 */
record Rates(PoolSession session) implements PoolStep {

  /** A request of the programs, and the name of its rows. */
  private record Mode(String request, String name) {}

  private static final List<Mode> MODES =
      List.of(
          new Mode("own", PoolRows.OWN),
          new Mode("ring", PoolRows.RING),
          new Mode("cross", PoolRows.CROSS));

  /** Blocks that are handed over together; one where each is a call of the driver. */
  private static final int BATCH = 32;

  private record Turn(PoolArm arm, Mode mode, int threads) {

    boolean makesSense() {
      boolean pairs = threads % 2 == 0;
      boolean raw = arm.name().equals(PoolArm.MOORING_JNI);
      return raw ? mode.request().equals("own") : pairs || !mode.request().equals("cross");
    }

    String request(double seconds, long seed) {
      String what = arm.name().equals(PoolArm.MOORING_JNI) ? "raw" : mode.request();
      return String.format(
          Locale.ROOT,
          "rate %s %s %d %.3f %d %d",
          what,
          arm.face(),
          threads,
          seconds,
          seed,
          arm.name().equals(PoolArm.HOST_ALLOC) ? 1 : BATCH);
    }
  }

  private List<PoolArm> arms() {
    return Stream.concat(PoolArm.NATIVE.stream(), PoolArm.JAVA.stream())
        .filter(session::has)
        .toList();
  }

  private List<Turn> turns(List<PoolArm> arms) {
    List<Turn> all = new ArrayList<>();
    for (Mode mode : MODES) {
      for (int threads : session.plan().threads()) {
        arms.forEach(arm -> all.add(new Turn(arm, mode, threads)));
      }
    }
    return all.stream().filter(Turn::makesSense).toList();
  }

  @Override
  public int rows() {
    return turns(arms()).size() * (session.plan().warmup() + session.plan().rounds());
  }

  @Override
  public void run() {
    try (var processes = ArmProcesses.start(session, arms(), session.plan().pool().bytes())) {
      rounds(processes, session.plan().warmup(), true);
      rounds(processes, session.plan().rounds(), false);
    }
  }

  private void rounds(ArmProcesses processes, int count, boolean warmUp) {
    List<PoolArm> order = new ArrayList<>(arms());
    for (int round = 1; round <= count; round++) {
      for (Turn turn : turns(order)) {
        measure(processes, turn, round, warmUp);
      }
      Collections.rotate(order, 1); // no arm is always the first
    }
  }

  private void measure(ArmProcesses processes, Turn turn, int round, boolean warmUp) {
    PoolArm arm = turn.arm();
    String query = PoolRows.named(turn.mode().name(), arm.java());
    long seed = session.plan().seed() + 1000L * round;
    processes.ask(
        arm,
        turn.request(session.plan().seconds(), seed),
        (answer, pinned) -> {
          var rows = new PoolRows(query, arm.name(), turn.threads(), 1, round, warmUp, pinned);
          session.recording().add(rows.counted(answer));
        });
  }
}
