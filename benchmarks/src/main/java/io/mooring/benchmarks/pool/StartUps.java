package io.mooring.benchmarks.pool;

import com.fasterxml.jackson.databind.JsonNode;
import io.mooring.benchmarks.cli.ByteSize;
import java.util.ArrayList;
import java.util.List;

/** How long a pool takes until its first buffer, and until all of it is there. */
record StartUps(PoolSession session) implements PoolStep {

  private static final PoolArm MALLOC = arm(PoolArm.MALLOC, false, false);
  private static final List<PoolArm> ALL =
      List.of(
          arm(PoolArm.MOORING, false, false),
          arm(PoolArm.HOST_ALLOC, false, true),
          arm(PoolArm.REGISTERED, false, true),
          arm(PoolArm.RMM, false, true),
          MALLOC);

  /** Slow, and the same allocation as RMM's pool: only at the largest size. */
  private static final PoolArm JAVA_POOL = arm(PoolArm.PINNED_MEMORY_POOL, true, true);

  private static PoolArm arm(String name, boolean java, boolean needsGpu) {
    return new PoolArm(name, name, java, "buffers", needsGpu);
  }

  private record Start(PoolArm arm, ByteSize size, int round) {}

  private List<Start> starts() {
    List<Start> all = new ArrayList<>();
    for (ByteSize size : session.plan().sizes()) {
      boolean largest = size.equals(session.plan().largestSize());
      for (int round = 1; round <= (largest ? session.plan().rounds() : 1); round++) {
        for (PoolArm arm : ALL) {
          all.add(new Start(arm, size, round));
        }
        if (largest && round == 1) {
          all.add(new Start(JAVA_POOL, size, round));
        }
      }
    }
    return all.stream().filter(start -> session.has(start.arm())).toList();
  }

  @Override
  public int rows() {
    return 2 * starts().size();
  }

  @Override
  public void run() {
    // A virtual machine waits for its host at the first touch of much of its memory.
    session.with(MALLOC, session.plan().largestSize().bytes(), process -> {});
    for (Start start : starts()) {
      session.with(start.arm(), start.size().bytes(), process -> record(start, process.hello()));
    }
  }

  private void record(Start start, JsonNode hello) {
    record(start, PoolRows.READY, hello, "ready_seconds");
    record(start, PoolRows.FIRST, hello, "first_seconds");
  }

  private void record(Start start, String what, JsonNode hello, String key) {
    PoolRows rows =
        new PoolRows(
            what + ", " + start.size().text(),
            start.arm().name(),
            1,
            start.round(), // each is a process of its own
            start.round(),
            false,
            hello.get("pinned").booleanValue());
    session.recording().add(rows.timed(hello.get(key).doubleValue(), start.size().bytes()));
  }
}
