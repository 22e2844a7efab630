package io.mooring.scan.plan;

import io.mooring.parquet.footer.UnreadableOnGpuException;
import io.mooring.parquet.source.StoreThreads;
import io.mooring.scan.split.FileSplit;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.apache.hadoop.conf.Configuration;

/**
 * The plans of a task's splits. Those of files in object stores are made ahead of the task, many at
 * a time. Belongs to the thread of its task.
 */
public final class FilePlanPrefetch {
  private final FilePlanner planner;
  private final Map<FileSplit, FutureTask<FilePlan>> plans = new IdentityHashMap<>();

  /**
   * Begins to plan the files of stores.
   *
   * @param ahead the splits that will be asked for, unless something comes in between
   */
  public FilePlanPrefetch(FilePlanner planner, List<FileSplit> ahead, Configuration conf) {
    this.planner = planner;
    for (FileSplit split : ahead) {
      plans.put(split, StoreThreads.begin(split.file(), conf, () -> planner.plan(split)));
    }
  }

  /**
   * The plan of a split, made here and now where nobody has begun with it.
   *
   * @throws UnreadableOnGpuException when the split is Spark's to read, with the reason
   */
  public FilePlan of(FileSplit split) throws UnreadableOnGpuException {
    FutureTask<FilePlan> plan = plans.remove(split);
    if (plan == null) {
      return planner.plan(split);
    }
    plan.run();
    try {
      return plan.get();
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
      // Checked ones are no others: such a one would be a bug.
      throw cause instanceof RuntimeException bug ? bug : new IllegalStateException(cause);
    }
  }

  /** Drops what has not begun. */
  public void giveUp() {
    plans.values().forEach(plan -> plan.cancel(false));
    plans.clear();
  }
}
