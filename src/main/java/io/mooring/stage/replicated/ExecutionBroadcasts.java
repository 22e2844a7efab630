package io.mooring.stage.replicated;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.function.Supplier;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkEnv;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerApplicationEnd;
import org.apache.spark.scheduler.SparkListenerEvent;
import org.apache.spark.sql.execution.SQLExecution;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionEnd;
import org.jspecify.annotations.Nullable;

/**
 * The replicated build sides of each running query of an application. Equal build sides share a
 * broadcast, and executors free it when the query ends. References are weak: plans keep the
 * broadcasts. Thread-safe.
 */
final class ExecutionBroadcasts extends SparkListener {
  private static final Map<SparkContext, ExecutionBroadcasts> OF =
      Collections.synchronizedMap(new WeakHashMap<>());

  private final Map<Long, OfExecution> executions = new HashMap<>();

  /** The broadcasts of one query. */
  private static final class OfExecution {
    private final Map<SparkPlan, OfPlan> byPlan = new HashMap<>();
    private final List<WeakReference<ReplicatedBroadcast>> used = new ArrayList<>();

    /**
     * Whether no plan refers to any of them any more, although no end of the query was reported.
     */
    boolean isForgotten() {
      return used.stream().allMatch(reference -> reference.get() == null)
          && byPlan.values().stream().allMatch(OfPlan::isForgotten);
    }
  }

  /** The broadcast of equal build sides of a query: the first one that needs it makes it. */
  private static final class OfPlan {
    private volatile @Nullable WeakReference<Broadcast<?>> shared;

    /** Whoever makes it waits for no build sides but those below it, so that all waits end. */
    synchronized Broadcast<?> get(Supplier<Broadcast<?>> make) {
      Broadcast<?> broadcast = current();
      try {
        broadcast = broadcast == null ? make.get() : broadcast;
        return broadcast;
      } finally {
        shared = new WeakReference<>(broadcast);
      }
    }

    private @Nullable Broadcast<?> current() {
      WeakReference<Broadcast<?>> reference = shared;
      return reference == null ? null : reference.get();
    }

    /** Whether there was one, or none could be made, and nothing refers to it any more. */
    boolean isForgotten() {
      return shared != null && current() == null;
    }
  }

  private static ExecutionBroadcasts of(SparkContext context) {
    return OF.computeIfAbsent(
        context,
        any -> {
          ExecutionBroadcasts created = new ExecutionBroadcasts();
          context.addSparkListener(created);
          return created;
        });
  }

  /**
   * The broadcast of a build side in the query that runs on this thread.
   *
   * @param canonical equal for build sides of the same rows and keys
   * @param make called for the first of them; its errors are the caller's
   */
  static Broadcast<?> shared(
      SparkContext context, SparkPlan canonical, Supplier<Broadcast<?>> make) {
    Long execution = execution(context);
    return execution == null ? make.get() : of(context).ofPlan(execution, canonical).get(make);
  }

  private synchronized OfPlan ofPlan(Long execution, SparkPlan canonical) {
    executions.values().removeIf(OfExecution::isForgotten);
    var byPlan = executions.computeIfAbsent(execution, any -> new OfExecution()).byPlan;
    return byPlan.computeIfAbsent(canonical, any -> new OfPlan());
  }

  /** Registers a broadcast to be freed at the end of the query that runs on this thread. */
  static void use(SparkContext context, ReplicatedBroadcast broadcast) {
    Long execution = execution(context);
    if (execution != null) {
      of(context).use(execution, broadcast);
    }
  }

  private synchronized void use(Long execution, ReplicatedBroadcast broadcast) {
    var used = executions.computeIfAbsent(execution, any -> new OfExecution()).used;
    if (used.stream().noneMatch(reference -> reference.refersTo(broadcast))) {
      used.add(new WeakReference<>(broadcast));
    }
  }

  /** The id of the running query; null outside of SQL, where no event tells its end. */
  private static @Nullable Long execution(SparkContext context) {
    String execution = context.getLocalProperty(SQLExecution.EXECUTION_ID_KEY());
    return execution == null ? null : Long.valueOf(execution);
  }

  /** Queries that run when their application ends may report no end of theirs. */
  @Override
  public synchronized void onApplicationEnd(SparkListenerApplicationEnd event) {
    // Plans lead to the context, which is a weak key only as long as no value leads to it.
    executions.clear();
  }

  @Override
  public void onOtherEvent(SparkListenerEvent event) {
    if (event instanceof SparkListenerSQLExecutionEnd end) {
      free(end.executionId());
    }
  }

  private void free(long execution) {
    OfExecution ended;
    synchronized (this) {
      ended = executions.remove(execution);
    }
    if (ended == null) {
      return;
    }
    for (WeakReference<ReplicatedBroadcast> reference : ended.used) {
      ReplicatedBroadcast broadcast = reference.get();
      // At the end of the application, its environment frees everything.
      if (broadcast != null && SparkEnv.get() != null) {
        broadcast.unpersist(false);
      }
    }
  }
}
