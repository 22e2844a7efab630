package io.mooring.benchmarks.pool;

import com.fasterxml.jackson.databind.JsonNode;
import io.mooring.benchmarks.program.LineProcess;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/** The allocations of a real scan again, by each allocator. */
record TraceReplays(PoolSession session, Optional<RecordedTrace> trace) implements PoolStep {

  private static final long UNIT = 256L << 20;

  /** Arms that ask the driver for large blocks take seconds: once is enough. */
  private static final Set<String> ONCE = Set.of(PoolArm.HOST_ALLOC, PoolArm.LIBCUDF_DEFAULT);

  private List<PoolArm> arms(int round) {
    return PoolArm.NATIVE.stream()
        .filter(arm -> trace.isPresent() && !arm.equals(PoolArm.LIBCUDF))
        .filter(arm -> round == 1 || !ONCE.contains(arm.name()))
        .filter(session::has)
        .toList();
  }

  @Override
  public int rows() {
    return IntStream.rangeClosed(1, session.plan().rounds()).map(round -> arms(round).size()).sum();
  }

  @Override
  public void run() {
    trace.ifPresent(found -> session.with(malloc(), 0, process -> replayAll(found, process)));
  }

  private static PoolArm malloc() {
    return new PoolArm(PoolArm.MALLOC, PoolArm.MALLOC, false, "buffers", false);
  }

  private void replayAll(RecordedTrace found, LineProcess reader) {
    JsonNode facts = reader.ask("peak " + found.file());
    session
        .recording()
        .note(
            "trace %s: %d allocations by %d threads, at most %d MiB at once"
                .formatted(
                    found.name(),
                    facts.get("allocations").longValue(),
                    facts.get("threads").longValue(),
                    facts.get("peak_bytes").longValue() >> 20));
    long pool = poolFor(facts.get("peak_bytes").longValue());
    try (var processes = ArmProcesses.start(session, arms(1), pool)) {
      for (int round = 1; round <= session.plan().rounds(); round++) {
        for (PoolArm arm : arms(round)) {
          replay(found, arm, processes, round);
        }
      }
    }
  }

  /** Twice what the recording held: threads that go as fast as they can hold more of it at once. */
  private static long poolFor(long peakBytes) {
    return (2 * peakBytes / UNIT + 1) * UNIT;
  }

  private void replay(RecordedTrace found, PoolArm arm, ArmProcesses processes, int round) {
    // The faces are those of the trace.
    String name = arm.equals(PoolArm.BUFFERS) ? PoolArm.MOORING : arm.name();
    processes.ask(
        arm,
        "trace " + found.file(),
        (answer, pinned) -> {
          PoolRows rows = new PoolRows(PoolRows.TRACE, name, 1, 1, round, false, pinned);
          session.recording().add(rows.counted(answer));
        });
  }
}
