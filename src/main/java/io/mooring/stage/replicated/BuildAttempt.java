package io.mooring.stage.replicated;

import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.spark.TaskContext;
import org.apache.spark.TaskKilledException;
import org.apache.spark.sql.execution.joins.HashedRelation;
import org.jspecify.annotations.Nullable;

/**
 * One task's attempt to build a relation, for which other tasks wait. A failure fails all of them,
 * as that of a broadcast would; if the task is killed, another task makes its own attempt.
 * Thread-safe.
 */
final class BuildAttempt {
  // A task can be killed without an interrupt.
  private static final long LOOK_MILLIS = 50;
  private static final int LOOKS_TO_BE_STUCK = 40;
  private static final String MEMORY = "org.apache.spark.memory.ExecutionMemoryPool";

  private final TaskContext builder;
  private volatile @Nullable Thread thread;
  private final CountDownLatch ended = new CountDownLatch(1);
  private volatile @Nullable HashedRelation made;
  private volatile @Nullable Throwable failure;

  BuildAttempt(TaskContext builder) {
    this.builder = builder;
  }

  /** Builds the relation on the calling thread, which then calls {@link #end}. */
  HashedRelation run(Supplier<HashedRelation> build) {
    thread = Thread.currentThread();
    try {
      HashedRelation relation = build.get();
      made = relation;
      return relation;
    } catch (Throwable e) {
      failure = builder.isInterrupted() ? null : e;
      throw e;
    }
  }

  void end() {
    thread = null;
    ended.countDown();
  }

  /**
   * Waits for the relation; null when the builder was killed, or is stuck. Throws what the builder
   * threw.
   */
  @Nullable HashedRelation await(TaskContext task) {
    try {
      int stuck = 0;
      while (!ended.await(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
        task.killTaskIfInterrupted();
        stuck = waitsForMemory() ? stuck + 1 : 0;
        if (stuck == LOOKS_TO_BE_STUCK) {
          return null;
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      task.killTaskIfInterrupted();
      throw new TaskKilledException("interrupted while another task read a build side");
    }
    Throwable thrown = failure;
    if (thrown != null) {
      throw BuildAttempt.<RuntimeException>unchecked(thrown);
    }
    return made;
  }

  /**
   * Whether the builder waits for execution memory, for an aggregate of the build side, which the
   * tasks that wait for it may hold.
   */
  private boolean waitsForMemory() {
    Thread running = thread;
    return running != null
        && running.getState() == Thread.State.WAITING
        && Arrays.stream(running.getStackTrace())
            .anyMatch(frame -> frame.getClassName().equals(MEMORY));
  }

  /** Scala's code throws checked exceptions where Java's compiler does not see them. */
  @SuppressWarnings("unchecked")
  private static <E extends Throwable> E unchecked(Throwable thrown) throws E {
    throw (E) thrown;
  }
}
