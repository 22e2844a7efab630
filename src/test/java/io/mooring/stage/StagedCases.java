package io.mooring.stage;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.testing.RandomRun;
import io.mooring.testing.RequiresGpu;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** How many random cases had stages, and of how many of them Spark computed a part. Thread-safe. */
public final class StagedCases {
  private final AtomicInteger staged = new AtomicInteger();
  private final AtomicInteger left = new AtomicInteger();

  /**
   * Counts a case.
   *
   * @param stages of its executed plan, those that the test is about
   */
  public void count(List<MooringStageExec> stages) {
    boolean inPart =
        stages.stream().anyMatch(stage -> stage.metrics().apply("sparkSplits").value() > 0);
    staged.addAndGet(stages.isEmpty() ? 0 : 1);
    left.addAndGet(inPart ? 1 : 0);
  }

  /** Fails unless more than half of the cases had stages. */
  public void assertMostStaged(RandomRun cases) {
    assertThat(staged).hasValueGreaterThan(cases.cases() / 2);
  }

  /** Fails if there is a GPU and it computed all of fewer than half of the cases with stages. */
  public void assertMostOnGpu() {
    if (RequiresGpu.Condition.gpuIsThere()) {
      assertThat(left).hasValueLessThanOrEqualTo(staged.get() / 2);
    }
  }

  @Override
  public String toString() {
    return staged + " with stages, " + left + " of them left in part to Spark";
  }
}
