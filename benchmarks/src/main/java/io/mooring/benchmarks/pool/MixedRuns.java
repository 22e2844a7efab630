package io.mooring.benchmarks.pool;

import com.fasterxml.jackson.databind.JsonNode;
import io.mooring.benchmarks.process.LineProcess;
import java.util.List;
import java.util.Locale;

/** Fragmentation: how much of a pool's free memory can still be used after a long mixed run. */
record MixedRuns(PoolSession session) implements PoolStep {

  private static final int THREADS = 4;

  private List<PoolArm> arms() {
    boolean wanted = session.plan().mixedSeconds() > 0;
    return PoolArm.NATIVE.stream()
        .filter(arm -> wanted && isPool(arm))
        .filter(session::has)
        .toList();
  }

  private static boolean isPool(PoolArm arm) {
    return arm.equals(PoolArm.BUFFERS) || arm.name().equals(PoolArm.RMM);
  }

  @Override
  public int rows() {
    return arms().size();
  }

  @Override
  public void run() {
    arms().forEach(arm -> session.with(arm, session.plan().pool().bytes(), p -> mix(arm, p)));
  }

  private void mix(PoolArm arm, LineProcess process) {
    PoolPlan plan = session.plan();
    JsonNode answer =
        process.ask(
            String.format(
                Locale.ROOT,
                "mixed %d %.3f %d %d %d %d",
                THREADS,
                plan.mixedSeconds(),
                PoolPlan.MIXED_OPERATIONS,
                plan.pool().bytes(),
                plan.largestMixedBlock(),
                plan.seed()));
    boolean pinned = process.hello().get("pinned").booleanValue();
    PoolRows rows = new PoolRows(PoolRows.MIXED, arm.name(), THREADS, 1, 1, false, pinned);
    session.recording().add(rows.counted(answer));
  }
}
