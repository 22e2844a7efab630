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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
    for (RowOperator operator : program.operators()) {
      if (operator instanceof Join join) {
        of(join);
      }
    }
  }

  /**
   * The table that a join probes, which the task holds until {@link #close}.
   *
   * @throws SparkFallbackException when it cannot be on the device
   */
  BuildTable of(Join join) {
    Broadcast<HashedRelation> broadcast = broadcasts.get(join.build());
    String application = SparkEnv.get().conf().getAppId();
    Key key = new Key(application, broadcast.id(), join.buildKeys(), join.takesKeysAlone());
    BuildTable table = taken.get(key);
    if (table == null) {
      long held = taken.values().stream().mapToLong(BuildTable::bytes).sum();
      table = acquired(key, new Maker(broadcast, join, held));
      taken.put(key, table);
    }
    return table;
  }

  private BuildTable acquired(Key key, Maker maker) {
    int before = failures.getOrDefault(key, 0);
    if (before >= MOST_TRIES) {
      throw new SparkFallbackException("the build side of a join did not reach the GPU");
    }
    failures.put(key, before + 1);
    try {
      return shared.get().acquire(key, maker);
    } catch (RefusedException e) {
      throw new SparkFallbackException(String.valueOf(e.getMessage()));
    } catch (InterruptedException | CancellationException e) {
      Thread.currentThread().interrupt();
      throw new SparkFallbackException("the wait for the build side of a join was interrupted");
    }
  }

  /** Makes the table of one build side. */
  private record Maker(Broadcast<HashedRelation> broadcast, Join join, long heldBytes)
      implements SharedObjects.Maker<BuildTable> {
    @Override
    public BuildTable make(SharedObjects.Room room) {
      try {
        return withRoom(room);
      } catch (SparkFallbackException e) {
        throw new RefusedException(String.valueOf(e.getMessage()));
      } catch (OutOfMemoryError e) {
        LOG.debug("No room for the build side of a join", e);
        throw new RefusedException("the device has no room for the build side of a join");
      }
    }

    private BuildTable withRoom(SharedObjects.Room room) {
      RoomWait wait = RoomWait.ofTable(expectedBytes(), heldBytes, this::checkWait);
      try {
        return room.attempt(wait, this::table);
      } catch (RefusedException e) {
        DeviceRowSource rows = rows();
        if (rows == null || !rows.needsMoreRoomThanRows()) {
          throw e;
        }
        return BuildTable.make(relation(), join, room);
      }
    }

    private long expectedBytes() {
      ReplicatedBroadcast own = replicated();
      return own == null ? 0 : own.size().bytes();
    }

    private BuildTable table(SharedObjects.Room room) {
      BuildTable own = ofOwnRows(room);
      return own == null ? BuildTable.make(relation(), join, room) : own;
    }

    /**
     * The table of a build side that executors read themselves; null where Spark has to read it.
     */
    private @Nullable BuildTable ofOwnRows(SharedObjects.Room room) {
      ReplicatedBroadcast own = replicated();
      DeviceRowSource rows = rows();
      if (own == null || rows == null) {
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

    private @Nullable DeviceRowSource rows() {
      ReplicatedBroadcast own = replicated();
      return own != null && own.rows() instanceof DeviceRowSource rows ? rows : null;
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
      TaskContext task = TaskContext.get();
      if (task != null) {
        task.killTaskIfInterrupted();
      }
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
