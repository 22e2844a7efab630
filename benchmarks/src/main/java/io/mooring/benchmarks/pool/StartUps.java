package io.mooring.benchmarks.pool;

import com.fasterxml.jackson.databind.JsonNode;
import io.mooring.benchmarks.cli.ByteSize;
import java.util.ArrayList;
import java.util.List;

/** Times the start of a pool: until its first buffer, and until all of it is there. */
record StartUps(PoolSession session) implements PoolStep {

  private static final PoolArm MALLOC = arm(PoolArm.MALLOC, false);

  /** Held against each other at every size, and round after round at the largest. */
  private static final List<PoolArm> COMPARED =
      List.of(arm(PoolArm.MOORING, false), arm(PoolArm.HOST_ALLOC, true));

  /** Once, at the largest size: each takes seconds. */
  private static final List<PoolArm> BESIDE =
      List.of(arm(PoolArm.REGISTERED, true), arm(PoolArm.RMM, true), MALLOC);

  private static PoolArm arm(String name, boolean needsGpu) {
    return new PoolArm(name, name, false, "buffers", needsGpu);
  }

  private record Start(PoolArm arm, ByteSize size, int round) {}

  private List<Start> starts() {
    List<Start> all = new ArrayList<>();
    for (ByteSize size : session.plan().sizes()) {
      boolean largest = size.equals(session.plan().largestSize());
      for (int round = 1; round <= (largest ? session.plan().rounds() : 1); round++) {
        for (PoolArm arm : COMPARED) {
          all.add(new Start(arm, size, round));
        }
      }
      if (largest) {
        BESIDE.forEach(arm -> all.add(new Start(arm, size, 1)));
      }
    }
    return all.stream().filter(start -> session.has(start.arm())).toList();
  }

  @Override
  public int rows() {
    return 2 * starts().size();
  }

  /**
   * Touches as much memory as any of them will, unmeasured: a virtual machine waits for its host at
   * the first touch of much of its memory.
   */
  static void touch(PoolSession session) {
    session.with(MALLOC, session.plan().largestSize().bytes(), process -> {});
  }

  @Override
  public void run() {
    for (Start start : starts()) {
      session.with(start.arm(), start.size().bytes(), process -> record(start, process.hello()));
    }
  }

  private void record(Start start, JsonNode hello) {
    record(start, PoolRows.READY, hello, "ready_seconds", start.size().bytes());
    // No rate: it is the time to one buffer, however large the pool.
    record(start, PoolRows.FIRST, hello, "first_seconds", 0);
  }

  private void record(Start start, String what, JsonNode hello, String key, long bytes) {
    PoolRows rows =
        new PoolRows(
            what + ", " + start.size().text(),
            start.arm().name(),
            1,
            start.round(), // each is a process of its own
            start.round(),
            false,
            hello.get("pinned").booleanValue());
    session.recording().add(rows.timed(hello.get(key).doubleValue(), bytes));
  }
}
