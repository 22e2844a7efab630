package io.mooring.parquet.read;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * How many tasks decode and compute on a device at a time, first come, first served. It is there
 * for speed alone: kernels of a few tasks keep a device busy, and those of many delay each other.
 * Thread-safe.
 */
public final class TaskLimit {
  /** Lets every task go on at once. */
  public static final TaskLimit NONE = new TaskLimit(0);

  // A task may wait, during its turn, for the build side of a join that another task makes: where
  // that one waits for a turn, both go on only because this wait has an end.
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final Duration CHECK = Duration.ofMillis(100);

  private final long most;
  private final Duration patience;
  private final Queue<Turn> waiting = new ArrayDeque<>();
  private final Set<Turn> taken = new HashSet<>();

  /**
   * @param most tasks that have a turn at a time; 0 for no limit
   */
  public TaskLimit(long most) {
    this(most, PATIENCE);
  }

  /**
   * @param patience how long a task waits at most
   */
  TaskLimit(long most, Duration patience) {
    this.most = most;
    this.patience = patience;
  }

  /** The right of one task to use the device until it is closed, by any thread, once or more. */
  public final class Turn implements AutoCloseable {
    private final CountDownLatch begun = new CountDownLatch(1);

    private Turn() {}

    @Override
    public void close() {
      end(this);
    }

    private void await(Runnable stillWanted) throws InterruptedException {
      long end = System.nanoTime() + patience.toNanos();
      for (long left = patience.toNanos(); left > 0; left = end - System.nanoTime()) {
        if (begun.await(Math.min(left, CHECK.toNanos()), TimeUnit.NANOSECONDS)) {
          return;
        }
        stillWanted.run();
      }
      giveUp(this);
    }
  }

  /**
   * Waits for a turn. After ten seconds the caller goes on without one, beside those that have one.
   * No thread should wait for a second turn while it has one.
   *
   * @param stillWanted called ten times a second while the caller waits; the wait ends with what it
   *     throws
   * @return the turn, which the caller closes in any case
   * @throws InterruptedException when the thread is interrupted before its turn
   */
  public Turn acquire(Runnable stillWanted) throws InterruptedException {
    Turn turn = new Turn();
    if (most == 0) {
      return turn;
    }
    begin(turn);
    boolean complete = false;
    try {
      turn.await(stillWanted);
      complete = true;
      return turn;
    } finally {
      if (!complete) {
        turn.close();
      }
    }
  }

  private synchronized void begin(Turn turn) {
    waiting.add(turn);
    serve();
  }

  private synchronized void giveUp(Turn turn) {
    // It may have begun meanwhile.
    waiting.remove(turn);
  }

  private synchronized void end(Turn turn) {
    waiting.remove(turn);
    if (taken.remove(turn)) {
      serve();
    }
  }

  private void serve() {
    while (taken.size() < most && !waiting.isEmpty()) {
      Turn next = waiting.remove();
      taken.add(next);
      next.begun.countDown();
    }
  }
}
