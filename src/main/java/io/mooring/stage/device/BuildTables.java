package io.mooring.stage.device;

import ai.rapids.cudf.Cuda;
import io.mooring.expr.DeviceExpr;
import io.mooring.expr.device.DeviceBatch;
import io.mooring.expr.device.SparkFallbackException;
import io.mooring.gpu.RefusedException;
import io.mooring.gpu.RoomWait;
import io.mooring.gpu.SharedObjects;
import io.mooring.stage.program.RowOperator;
import io.mooring.stage.program.RowOperator.Join;
import io.mooring.stage.program.StageProgram;
import io.mooring.stage.replicated.ReplicatedBroadcast;
import io.mooring.stage.replicated.ReplicatedRelation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.function.Supplier;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.execution.joins.HashedRelation;
import org.apache.spark.storage.BroadcastBlockId;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The build sides that a task uses on its device, shared with other tasks. Belongs to one thread.
 */
public final class BuildTables implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(BuildTables.class);
  // A passing fault deserves another try, but not one for each unit of the task.
  private static final int MOST_TRIES = 2;

  private final List<Broadcast<HashedRelation>> broadcasts;
  private final Supplier<SharedObjects> shared;
  private final Map<Key, BuildTable> taken = new HashMap<>();
  private final Map<Key, Integer> failures = new HashMap<>();

  /**
   * The key of a shared table.
   *
   * @param application its id: ids of broadcasts start anew in each application
   */
  private record Key(
      String application, long broadcast, List<DeviceExpr> keys, boolean keysAlone) {}

  /**
   * @param broadcasts the build sides of a stage, in the order of its joins
   * @param shared the objects that tasks share on this task's device
   */
  public BuildTables(List<Broadcast<HashedRelation>> broadcasts, Supplier<SharedObjects> shared) {
    this.broadcasts = List.copyOf(broadcasts);
    this.shared = shared;
  }

  /** No build sides, for operators without joins. */
  static BuildTables none() {
    return new BuildTables(
        List.of(),
        () -> {
          throw new IllegalStateException("There is no join");
        });
  }

  /**
   * Makes, or waits for, the tables of all joins.
   *
   * @throws SparkFallbackException when one cannot be on the device
   */
  void prepare(StageProgram program) {
    Map<Key, Maker> wanted = new LinkedHashMap<>();
    for (RowOperator operator : program.operators()) {
      if (operator instanceof Join join && !taken.containsKey(key(join))) {
        wanted.putIfAbsent(key(join), maker(join));
      }
    }
    if (wanted.isEmpty()) {
      return;
    }
    List<SharedObjects.Request<BuildTable>> requests = new ArrayList<>();
    wanted.forEach((key, maker) -> requests.add(new SharedObjects.Request<>(key, maker)));
    long bytes = wanted.values().stream().mapToLong(Maker::expectedBytes).sum();
    RoomWait wait = RoomWait.ofTables(bytes, BuildTables::killIfInterrupted);
    List<BuildTable> tables =
        acquired(wanted.keySet(), () -> shared.get().acquireAll(requests, wait));
    int next = 0;
    for (Key key : wanted.keySet()) {
      taken.put(key, tables.get(next++));
    }
  }

  /**
   * The table that a join probes, which the task holds until {@link #close}.
   *
   * @throws SparkFallbackException when it cannot be on the device
   */
  BuildTable of(Join join) {
    Key key = key(join);
    BuildTable table = taken.get(key);
    if (table == null) {
      table = acquired(Set.of(key), () -> shared.get().acquire(key, maker(join)));
      taken.put(key, table);
    }
    return table;
  }

  private Key key(Join join) {
    String application = SparkEnv.get().conf().getAppId();
    long broadcast = broadcasts.get(join.build()).id();
    return new Key(application, broadcast, join.buildKeys(), join.takesKeysAlone());
  }

  private Maker maker(Join join) {
    return new Maker(broadcasts.get(join.build()), join);
  }

  /** The acquisition of shared tables. */
  private interface Acquisition<T> {
    T acquire() throws InterruptedException;
  }

  private <T> T acquired(Set<Key> keys, Acquisition<T> acquisition) {
    if (keys.stream().anyMatch(key -> failures.getOrDefault(key, 0) >= MOST_TRIES)) {
      throw new SparkFallbackException("the build side of a join did not reach the GPU");
    }
    keys.forEach(key -> failures.merge(key, 1, Integer::sum));
    try {
      return acquisition.acquire();
    } catch (RefusedException e) {
      throw new SparkFallbackException(String.valueOf(e.getMessage()));
    } catch (InterruptedException | CancellationException e) {
      Thread.currentThread().interrupt();
      throw new SparkFallbackException("the wait for the build side of a join was interrupted");
    }
  }

  private static void killIfInterrupted() {
    TaskContext task = TaskContext.get();
    if (task != null) {
      task.killTaskIfInterrupted();
    }
  }

  /** Makes the table of one build side. */
  private record Maker(Broadcast<HashedRelation> broadcast, Join join)
      implements SharedObjects.Maker<BuildTable> {
    @Override
    public BuildTable make(SharedObjects.Room room) {
      try {
        BuildTable own = ofOwnRows(room);
        return own == null ? BuildTable.make(relation(), join, room) : own;
      } catch (SparkFallbackException e) {
        throw new RefusedException(String.valueOf(e.getMessage()));
      } catch (OutOfMemoryError e) {
        LOG.debug("No room for the build side of a join", e);
        throw new RefusedException("the device has no room for the build side of a join");
      }
    }

    private long expectedBytes() {
      ReplicatedBroadcast own = replicated();
      return own == null ? 0 : own.size().bytes();
    }

    /**
     * The table of a build side that executors read themselves; null where Spark has to read it.
     */
    private @Nullable BuildTable ofOwnRows(SharedObjects.Room room) {
      ReplicatedBroadcast own = replicated();
      if (own == null || !(own.rows() instanceof DeviceRowSource rows)) {
        return null;
      }
      own.keepMark();
      long start = System.nanoTime();
      List<DeviceBatch> made = rows.onDevice(own.partitions(), room);
      if (made == null) {
        return null;
      }
      long count = made.stream().mapToLong(DeviceBatch::rows).sum();
      long bytes = made.stream().mapToLong(DeviceBatch::bytes).sum();
      BuildTable table = BuildTable.make(made, join, room);
      own.built(count, bytes, System.nanoTime() - start);
      return table;
    }

    private HashedRelation relation() {
      HashedRelation relation = broadcast.value();
      return relation instanceof ReplicatedRelation own ? own.rows() : relation;
    }

    private @Nullable ReplicatedBroadcast replicated() {
      Object any = broadcast;
      return any instanceof ReplicatedBroadcast own ? own : null;
    }

    /** Whether Spark keeps the broadcast, or its mark, on this executor. */
    @Override
    public boolean isWanted() {
      SparkEnv env = SparkEnv.get();
      return env != null
          && (isThere(env, "") || (replicated() != null && isThere(env, ReplicatedBroadcast.MARK)));
    }

    @Override
    public boolean isKilled() {
      TaskContext task = TaskContext.get();
      return task != null && task.isInterrupted();
    }

    @Override
    public void checkWait() {
      killIfInterrupted();
    }

    private boolean isThere(SparkEnv env, String field) {
      return env.blockManager().getStatus(new BroadcastBlockId(broadcast.id(), field)).isDefined();
    }
  }

  @Override
  public void close() {
    if (taken.isEmpty()) {
      return;
    }
    try {
      // Another task may free the tables on its own stream.
      Cuda.DEFAULT_STREAM.sync();
    } catch (RuntimeException e) {
      LOG.debug("The device was lost while tables of joins were used", e);
    }
    taken.keySet().forEach(shared.get()::release);
    taken.clear();
  }
}
