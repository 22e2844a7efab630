package io.mooring.scan.plan;

import io.mooring.parquet.footer.UnreadableOnGpuException;
import io.mooring.parquet.source.IdleStreams;
import io.mooring.parquet.source.StoreThreads;
import io.mooring.scan.split.FileSplit;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.TaskContext;

/**
 * The plans of a task's splits. Those of files in object stores are made ahead of the task, many at
 * a time. Belongs to the thread of its task.
 */
public final class FilePlanPrefetch {
  private static final long CHECK_MILLIS = 100;

  private final FilePlanner planner;
  private final Map<FileSplit, FutureTask<FilePlan>> plans = new IdentityHashMap<>();
  private volatile boolean isGivenUp;

  /**
   * Begins to plan the files of stores.
   *
   * @param ahead the splits that will be asked for, unless something comes in between
   */
  public FilePlanPrefetch(FilePlanner planner, List<FileSplit> ahead, Configuration conf) {
    this.planner = planner;
    for (FileSplit split : ahead) {
      plans.put(split, StoreThreads.begin(split.file(), conf, () -> plan(split)));
    }
  }

  private FilePlan plan(FileSplit split) throws UnreadableOnGpuException {
    try {
      return planner.plan(split);
    } finally {
      if (isGivenUp) {
        IdleStreams.close(split.file());
      }
    }
  }

  /**
   * The plan of a split, made here and now where nobody has begun with it.
   *
   * @throws UnreadableOnGpuException when the split is Spark's to read, with the reason
   */
  public FilePlan of(FileSplit split) throws UnreadableOnGpuException {
    FutureTask<FilePlan> plan = plans.get(split);
    if (plan == null) {
      return planner.plan(split);
    }
    plan.run();
    try {
      FilePlan result = await(plan);
      plans.remove(split);
      return result;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UnreadableOnGpuException("the task was interrupted", e);
    } catch (ExecutionException e) {
      Throwable cause = e.getCause();
      if (cause instanceof UnreadableOnGpuException unreadable) {
        throw unreadable;
      } else if (cause instanceof Error error) {
        throw error;
      }
      // The planner throws no other checked exception: another one would be a bug.
      throw cause instanceof RuntimeException bug ? bug : new IllegalStateException(cause);
    }
  }

  /** Waits for a plan, or until the task is killed: a store may take minutes to answer. */
  private static FilePlan await(FutureTask<FilePlan> plan)
      throws InterruptedException, ExecutionException {
    TaskContext task = TaskContext.get();
    while (true) {
      try {
        return plan.get(CHECK_MILLIS, TimeUnit.MILLISECONDS);
      } catch (TimeoutException e) {
        if (task != null) {
          task.killTaskIfInterrupted();
        }
      }
    }
  }

  /** Drops what has not begun, and closes the files that nobody has asked for. */
  public void giveUp() {
    isGivenUp = true;
    plans.forEach(
        (split, plan) -> {
          plan.cancel(false);
          IdleStreams.close(split.file());
        });
    plans.clear();
  }
}
