package io.mooring.benchmarks.pool;

import com.fasterxml.jackson.databind.JsonNode;
import io.mooring.benchmarks.process.LineProcess;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.ToLongFunction;

/** The processes of several arms, alive side by side so that they can take turns. */
final class ArmProcesses implements AutoCloseable {

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

  /** Asks an arm that is alive; the consumer gets the answer, and whether the memory is pinned. */
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
