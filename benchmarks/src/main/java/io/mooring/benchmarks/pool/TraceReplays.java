package io.mooring.benchmarks.pool;

import com.fasterxml.jackson.databind.JsonNode;
import io.mooring.benchmarks.process.LineProcess;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Replays of a real scan's allocations. */
final class TraceReplays {

  private static final long UNIT = 256L << 20;
  private static final int SHARE_OF_MEMORY = 4;

  /** The pools, and malloc, which tells what a replay costs without one. */
  private static final Set<String> NAMES =
      Set.of(PoolArm.BUFFERS.name(), PoolArm.RMM, PoolArm.MALLOC);

  private final PoolSession session;
  private Optional<RecordedTrace> trace;
  private final long mostBytes;
  private long poolBytes;

  /**
   * {@code memoryBytes}: memory of the machine. A trace that needs a pool of more than a quarter is
   * left out.
   */
  TraceReplays(PoolSession session, Optional<RecordedTrace> trace, long memoryBytes) {
    this.session = session;
    this.trace = trace;
    this.mostBytes = memoryBytes / SHARE_OF_MEMORY;
  }

  /**
   * Reads the size of the trace. A trace that cannot be read is recorded as a problem, one that is
   * too large as a note; {@link #isThere} is then false.
   */
  void open() {
    trace.ifPresent(file -> session.with(malloc(), 0, this::look));
    if (poolBytes > mostBytes) {
      session
          .recording()
          .note(
              "trace left out: it needs pools of %d MiB, more than a quarter of the memory"
                  .formatted(poolBytes >> 20));
      poolBytes = 0;
    }
    if (poolBytes == 0) {
      trace = Optional.empty();
    }
  }

  private static PoolArm malloc() {
    return new PoolArm(PoolArm.MALLOC, PoolArm.MALLOC, false, "buffers", false);
  }

  private void look(LineProcess reader) {
    RecordedTrace found = trace.orElseThrow();
    JsonNode facts = reader.ask("peak " + found.file());
    long peak = facts.get("peak_bytes").longValue();
    session
        .recording()
        .note(
            "trace %s: %d allocations by %d threads, at most %d MiB at once"
                .formatted(
                    found.name(),
                    facts.get("allocations").longValue(),
                    facts.get("threads").longValue(),
                    peak >> 20));
    // Threads that go as fast as they can hold more of it at once than was recorded.
    poolBytes = (2 * peak / UNIT + 1) * UNIT;
  }

  /** Whether there is a trace. */
  boolean isThere() {
    return trace.isPresent();
  }

  /** The arms that replay the trace; none without a trace. */
  List<PoolArm> arms() {
    return PoolArm.NATIVE.stream()
        .filter(arm -> isThere() && NAMES.contains(arm.name()))
        .filter(session::has)
        .toList();
  }

  /** Bytes of an arm's pool: as much as the trace needs where it may be asked for it. */
  long poolBytes(PoolArm arm) {
    long usual = session.plan().pool().bytes();
    return arms().contains(arm) ? Math.max(usual, poolBytes) : usual;
  }

  /** The request for a process. */
  String request() {
    return "trace " + trace.orElseThrow().file();
  }

  /**
   * The arm's name in rows. Mooring's has no face in it, because each allocation of the trace names
   * its own.
   */
  static String nameOf(PoolArm arm) {
    return arm.equals(PoolArm.BUFFERS) ? PoolArm.MOORING : arm.name();
  }
}
