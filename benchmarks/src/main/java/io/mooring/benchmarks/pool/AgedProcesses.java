package io.mooring.benchmarks.pool;

import com.fasterxml.jackson.databind.JsonNode;
import io.mooring.benchmarks.process.LineProcess;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/**
 * Allocators that have worked before: the recorded trace, and blocks of 1 KiB to 1 MiB by many
 * threads. Every allocator has a process of its own, all alive side by side, and they take turns.
 * The rounds before those that count are what ages them: the same work for all.
 */
record AgedProcesses(PoolSession session, TraceReplays traces) implements PoolStep {

  /** A request of the programs, and the name of its rows. */
  private record Mode(String request, String name) {}

  private static final List<Mode> MODES =
      List.of(
          new Mode("own", PoolRows.OWN),
          new Mode("ring", PoolRows.RING),
          new Mode("cross", PoolRows.CROSS));

  private record Turn(PoolArm arm, Mode mode, int threads) {

    boolean makesSense() {
      return threads % 2 == 0 || !mode.request().equals("cross");
    }
  }

  private List<PoolArm> arms() {
    return Stream.concat(PoolArm.NATIVE.stream(), PoolArm.JAVA.stream())
        // A call of the driver for each block does not age.
        .filter(arm -> !arm.name().equals(PoolArm.HOST_ALLOC))
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
    int round = turns(arms()).size() + traces.arms().size();
    return round * (session.plan().warmup() + session.plan().rounds());
  }

  @Override
  public void run() {
    try (var processes = ArmProcesses.start(session, arms(), traces::poolBytes)) {
      rounds(processes, session.plan().warmup(), true);
      rounds(processes, session.plan().rounds(), false);
    }
  }

  private void rounds(ArmProcesses processes, int count, boolean warmUp) {
    List<PoolArm> order = new ArrayList<>(arms());
    for (int number = 1; number <= count; number++) {
      int round = number;
      traces.arms().forEach(arm -> replay(processes, arm, round, warmUp));
      turns(order).forEach(turn -> measure(processes, turn, round, warmUp));
      Collections.rotate(order, 1); // no arm is always the first
    }
  }

  private void replay(ArmProcesses processes, PoolArm arm, int round, boolean warmUp) {
    String name = TraceReplays.nameOf(arm);
    processes.ask(
        arm,
        traces.request(),
        (answer, pinned) -> {
          String query = PoolRows.aged(PoolRows.TRACE);
          var rows = new PoolRows(query, name, 1, 1, round, warmUp, pinned);
          session.recording().add(rows.counted(answer));
        });
  }

  private void measure(ArmProcesses processes, Turn turn, int round, boolean warmUp) {
    PoolArm arm = turn.arm();
    String query = PoolRows.aged(PoolRows.named(turn.mode().name(), arm.java()));
    processes.ask(
        arm,
        session.rateRequest(turn.mode().request(), arm, turn.threads(), round),
        (answer, pinned) -> {
          var rows = new PoolRows(query, arm.name(), turn.threads(), 1, round, warmUp, pinned);
          session.recording().add(rows.counted(answer));
        });
  }

  /** The processes of several arms, alive side by side so that they can take turns. */
  private static final class ArmProcesses implements AutoCloseable {

    private final PoolSession session;
    private final Map<String, LineProcess> alive = new LinkedHashMap<>();

    private ArmProcesses(PoolSession session) {
      this.session = session;
    }

    /** Starts one for each; what does not start is recorded. */
    static ArmProcesses start(
        PoolSession session, List<PoolArm> arms, ToLongFunction<PoolArm> poolBytes) {
      ArmProcesses all = new ArmProcesses(session);
      arms.forEach(arm -> all.start(arm, poolBytes.applyAsLong(arm)));
      return all;
    }

    private void start(PoolArm arm, long poolBytes) {
      String name = arm.processName();
      if (!alive.containsKey(name)) {
        long bytes = arm.isPool() ? poolBytes : 0;
        session.guarded(() -> alive.put(name, session.start(arm, bytes)));
      }
    }

    /**
     * Asks an arm that is alive; the consumer gets the answer, and whether the memory is pinned.
     */
    void ask(PoolArm arm, String request, BiConsumer<JsonNode, Boolean> use) {
      LineProcess process = alive.get(arm.processName());
      if (process == null) {
        return;
      }
      boolean pinned = process.hello().get("pinned").booleanValue();
      boolean good = session.guarded(() -> use.accept(process.ask(request), pinned));
      if (!good && !process.isAlive()) {
        alive.remove(arm.processName());
      }
    }

    @Override
    public void close() {
      alive.values().forEach(LineProcess::close);
    }
  }
}
