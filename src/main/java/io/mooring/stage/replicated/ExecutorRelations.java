package io.mooring.stage.replicated;

import java.io.Serializable;
import java.lang.ref.WeakReference;
import java.nio.channels.ClosedByInterruptException;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.TaskKilledException;
import org.apache.spark.sql.execution.joins.HashedRelation;
import org.apache.spark.storage.BlockManager;
import org.apache.spark.storage.BlockResult;
import org.apache.spark.storage.BlockStatus;
import org.apache.spark.storage.BroadcastBlockId;
import org.apache.spark.storage.StorageLevel;
import org.apache.spark.util.TaskCompletionListener;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.Option;
import scala.reflect.ClassTag$;

/**
 * The relations of this executor, by the ids of their broadcasts. The block manager keeps them as
 * values of broadcasts: it counts them as storage memory, spills them to disk and drops them when
 * the driver says so. One task at a time builds a relation or reads it back. Thread-safe.
 */
final class ExecutorRelations {
  private static final Logger LOG = LoggerFactory.getLogger(ExecutorRelations.class);
  // A relation that a task uses is not read back again for another.
  private static final Map<Long, WeakReference<HashedRelation>> IN_USE = new ConcurrentHashMap<>();
  private static final Map<Long, BuildAttempt> RUNNING = new ConcurrentHashMap<>();

  private ExecutorRelations() {}

  /**
   * The relation of a broadcast.
   *
   * @param build makes the relation, unless a task has made it or is about to
   */
  static HashedRelation get(long broadcast, TaskContext task, Supplier<HashedRelation> build) {
    while (true) {
      HashedRelation used = inUse(broadcast);
      if (used != null) {
        return used;
      }
      BuildAttempt mine = new BuildAttempt(task);
      BuildAttempt other = RUNNING.putIfAbsent(broadcast, mine);
      HashedRelation built = other == null ? null : other.await(task);
      if (built != null) {
        return built;
      } else if (other == null || RUNNING.replace(broadcast, other, mine)) {
        return run(broadcast, mine, () -> cachedOrBuilt(broadcast, task, build));
      }
    }
  }

  private static HashedRelation run(
      long broadcast, BuildAttempt attempt, Supplier<HashedRelation> build) {
    try {
      return attempt.run(build);
    } finally {
      RUNNING.remove(broadcast, attempt);
      attempt.end();
    }
  }

  /** Heap bytes of the relations that the driver has not freed. */
  static long heapBytes() {
    return IN_USE.entrySet().stream()
        .filter(it -> blocks().getStatus(new BroadcastBlockId(it.getKey(), "")).isDefined())
        .map(it -> it.getValue().get())
        .filter(Objects::nonNull)
        .mapToLong(HashedRelation::estimatedSize)
        .sum();
  }

  private static @Nullable HashedRelation inUse(long broadcast) {
    WeakReference<HashedRelation> known = IN_USE.get(broadcast);
    return known == null ? null : known.get();
  }

  private static HashedRelation cachedOrBuilt(
      long broadcast, TaskContext task, Supplier<HashedRelation> build) {
    HashedRelation relation = inUse(broadcast);
    if (relation == null) {
      BroadcastBlockId block = new BroadcastBlockId(broadcast, "");
      relation = cached(block, task);
      if (relation == null) {
        relation = build.get();
        keep(block, relation, task);
      }
      IN_USE.values().removeIf(reference -> reference.get() == null);
      IN_USE.put(broadcast, new WeakReference<>(relation));
    }
    return relation;
  }

  /** Puts a relation into the block manager; without room there, only its tasks keep it. */
  private static void keep(BroadcastBlockId block, HashedRelation relation, TaskContext task) {
    // A relation in mapped files cannot be spilled.
    StorageLevel level =
        relation instanceof Serializable
            ? StorageLevel.MEMORY_AND_DISK()
            : StorageLevel.MEMORY_ONLY();
    try {
      put(block, relation, level, task);
    } catch (Exception e) {
      LOG.info(
          "The block manager has no room for a join's build side, which only its tasks keep: {}",
          e.toString());
      return;
    }
    Option<BlockStatus> status = blocks().getStatus(block);
    if (status.isDefined() && status.get().memSize() > 0) {
      // The block must not be evicted before the task has ended, which uses the relation.
      cached(block, task);
    }
  }

  /**
   * Puts a block of a broadcast into the block manager. A killed task leaves none: the driver may
   * have freed the broadcast before, when the query was cancelled.
   */
  static void put(
      BroadcastBlockId block, Object value, StorageLevel level, @Nullable TaskContext task) {
    blocks().putSingle(block, value, level, false, ClassTag$.MODULE$.apply(Object.class));
    if (task != null && task.isInterrupted()) {
      blocks().removeBlock(block, false);
    }
  }

  /** The relation in the block manager, locked until the task ends; null when it is not there. */
  private static @Nullable HashedRelation cached(BroadcastBlockId block, TaskContext task) {
    BlockManager blocks = blocks();
    Option<BlockResult> found = blocks.getLocalValues(block);
    if (found.isEmpty()) {
      return null;
    }
    task.addTaskCompletionListener(
        (TaskCompletionListener) ended -> blocks.releaseLock(block, Option.empty()));
    return (HashedRelation) found.get().data().next();
  }

  private static BlockManager blocks() {
    return SparkEnv.get().blockManager();
  }

  /**
   * One task's attempt to build a relation, for which other tasks wait. A failure fails all of
   * them, as that of a broadcast would; if the task is killed, another task makes its own attempt.
   * Thread-safe.
   */
  private static final class BuildAttempt {
    // A task can be killed without an interrupt.
    private static final long LOOK_MILLIS = 50;
    private static final int LOOKS_TO_BE_STUCK = 40;
    private static final String MEMORY = "org.apache.spark.memory.ExecutionMemoryPool";

    private final TaskContext builder;
    private volatile @Nullable Thread thread;
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile @Nullable HashedRelation built;
    private volatile @Nullable Throwable failure;

    BuildAttempt(TaskContext builder) {
      this.builder = builder;
    }

    /** Builds the relation on the calling thread, which then calls {@link #end}. */
    HashedRelation run(Supplier<HashedRelation> build) {
      thread = Thread.currentThread();
      try {
        HashedRelation relation = build.get();
        built = relation;
        return relation;
      } catch (Throwable e) {
        failure = builder.isInterrupted() || isInterrupt(e) ? null : e;
        throw e;
      }
    }

    /** A thread that works for a task may be interrupted without a kill of that task. */
    private static boolean isInterrupt(Throwable e) {
      return Thread.currentThread().isInterrupted()
          || e instanceof InterruptedException
          || e instanceof ClosedByInterruptException;
    }

    void end() {
      thread = null;
      ended.countDown();
    }

    /**
     * Waits for the relation; null when the builder was killed, or is stuck. Throws what the
     * builder threw.
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
      return built;
    }

    /**
     * Whether the builder waits for execution memory, for an aggregate of the build side. The tasks
     * that wait for the builder may hold that memory.
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
}
