package io.mooring.columnar;

import java.lang.ref.WeakReference;
import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import org.apache.spark.TaskContext;
import org.jspecify.annotations.Nullable;

/**
 * The threads that read the rows of tasks, where operators tell it: others may have asked for the
 * batch that a row is of. Thread-safe.
 */
public final class RowReaders {
  // A thread may have its task's context among its own variables, so that neither keeps the other.
  private static final Map<TaskContext, WeakReference<Thread>> THREADS =
      Collections.synchronizedMap(new WeakHashMap<>());

  private RowReaders() {}

  /**
   * Tells that the calling thread reads the rows of a task from now on.
   *
   * @throws IllegalStateException when the task has ended, and its batches may be free
   */
  public static void readHere(TaskContext task) {
    // In this order: a task ends before its batches are closed, for the threads that are told here.
    THREADS.put(task, new WeakReference<>(Thread.currentThread()));
    if (task.isCompleted()) {
      throw new IllegalStateException("The task has ended, and what it has read with it");
    }
  }

  /** The thread that was told last; null where none was, or it is gone. */
  static @Nullable Thread of(@Nullable TaskContext task) {
    WeakReference<Thread> thread = task == null ? null : THREADS.get(task);
    return thread == null ? null : thread.get();
  }
}
