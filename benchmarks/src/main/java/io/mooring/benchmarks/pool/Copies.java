package io.mooring.benchmarks.pool;

import com.fasterxml.jackson.databind.JsonNode;
import io.mooring.benchmarks.process.LineProcess;

/** Times copies from and to the pool beside cudaHostAlloc memory; every byte is compared. */
record Copies(PoolSession session) implements PoolStep {

  private static final int REPETITIONS = 10;

  @Override
  public int rows() {
    return session.plan().gpu() ? 4 * REPETITIONS : 0;
  }

  @Override
  public void run() {
    if (session.plan().gpu()) {
      session.with(PoolArm.BUFFERS, session.plan().pool().bytes(), this::copy);
    }
  }

  private void copy(LineProcess process) {
    JsonNode answer = process.ask("copy " + PoolPlan.COPY_BYTES + " " + REPETITIONS);
    for (int row = 0; !answer.has("end"); row++) {
      boolean own = answer.get("of_arm").booleanValue();
      String arm = own ? PoolArm.MOORING : PoolArm.HOST_ALLOC;
      // Each block goes up and down once in four rows.
      PoolRows rows =
          new PoolRows(answer.get("direction").asText(), arm, 1, 1, row / 4 + 1, row < 4, true);
      double seconds = answer.get("seconds").doubleValue();
      session.recording().add(rows.timed(seconds, PoolPlan.COPY_BYTES));
      answer = process.answer();
    }
  }
}
