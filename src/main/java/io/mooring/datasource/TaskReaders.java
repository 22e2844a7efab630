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
   * Has a reader closed at the end of the current task.
   *
   * @param close may be called several times
   * @return whether it will be; false outside of a task that runs
   */
  static boolean closeAtEndOfTask(Runnable close) {
    TaskContext task = TaskContext.get();
    if (task == null || task.isCompleted()) {
      return false;
    }
    task.addTaskCompletionListener((TaskCompletionListener) ended -> close.run());
    return true;
  }
}
