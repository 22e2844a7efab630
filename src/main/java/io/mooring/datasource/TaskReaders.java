package io.mooring.datasource;

import org.apache.spark.TaskContext;
import org.apache.spark.util.TaskCompletionListener;

/**
 * Closes readers no sooner than their tasks end. Spark 4.1 closes a reader when the same task
 * begins to read another partition of the same RDD, although the rows of {@code zip} and {@code
 * cartesian} come from both in turns.
 */
final class TaskReaders {
  private TaskReaders() {}

  /**
   * Closes a reader: now where it is at its end or no task runs, else at the end of the task.
   *
   * @param close may be called several times
   */
  static void close(boolean isAtEnd, Runnable close) {
    TaskContext task = TaskContext.get();
    if (isAtEnd || task == null || task.isCompleted()) {
      close.run();
    } else {
      task.addTaskCompletionListener((TaskCompletionListener) ended -> close.run());
    }
  }
}
