package io.mooring.scan.task;

/**
 * The state of work that one thread does in steps, and that any thread may close. The last one to
 * use what the work has, the thread that closes or the one that is at a step, releases it, once.
 * Thread-safe.
 */
final class WorkState {
  private boolean working;
  private volatile boolean closed;

  /** Begins a step, which {@link #end} ends; false where the work is closed. */
  synchronized boolean begin() {
    working = !closed;
    return working;
  }

  /** Ends a step; true where the caller releases what the work has. */
  synchronized boolean end() {
    working = false;
    return closed;
  }

  /** Closes the work; true where the caller releases what the work has. */
  synchronized boolean close() {
    boolean first = !closed;
    closed = true;
    return first && !working;
  }

  /**
   * Requires that the work is open, in the middle of a step.
   *
   * @throws IllegalStateException when it is closed
   */
  void requireOpen() {
    if (closed) {
      // Not TaskKilledException, after which Spark runs a task again without end.
      throw new IllegalStateException("The task has ended, and what it has read with it");
    }
  }
}
