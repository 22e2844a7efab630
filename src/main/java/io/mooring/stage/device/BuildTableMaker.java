package io.mooring.stage.device;

import io.mooring.expr.device.DeviceBatch;
import io.mooring.expr.device.SparkFallbackException;
import io.mooring.gpu.RefusedException;
import io.mooring.gpu.Room;
import io.mooring.gpu.RoomWait;
import io.mooring.gpu.SharedObjects;
import io.mooring.stage.program.RowOperator.Join;
import io.mooring.stage.replicated.ReplicatedBroadcast;
import io.mooring.stage.replicated.ReplicatedRelation;
import io.mooring.stage.task.DeviceWork;
import java.util.List;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.execution.joins.HashedRelation;
import org.apache.spark.storage.BroadcastBlockId;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the table of one build side.
 *
 * @param isByHost whether the host makes the rows where the device has no room to make them now
 */
record BuildTableMaker(Broadcast<HashedRelation> broadcast, Join join, boolean isByHost)
    implements SharedObjects.Maker<BuildTable> {
  private static final Logger LOG = LoggerFactory.getLogger(BuildTableMaker.class);

  BuildTableMaker byHost() {
    return new BuildTableMaker(broadcast, join, true);
  }

  /** The bytes that the table is expected to take on the device; 0 where that is not known. */
  long expectedBytes() {
    ReplicatedBroadcast own = replicated();
    return own == null ? 0 : own.size().bytes();
  }

  @Override
  public BuildTable make(Room room) {
    try {
      return ofDeviceOrHost(room);
    } catch (SparkFallbackException e) {
      throw new RefusedException(String.valueOf(e.getMessage()));
    } catch (OutOfMemoryError e) {
      LOG.debug("No room for the build side of a join", e);
      throw new RefusedException("the device has no room for the build side of a join");
    }
  }

  private BuildTable ofDeviceOrHost(Room room) {
    try {
      return room.attempt(RoomWait.none(), this::table);
    } catch (RefusedException e) {
      DeviceRowSource rows = rows();
      boolean canWait = e.isForRoom() && !isByHost;
      if (canWait || rows == null || !rows.needsMoreRoomThanRows()) {
        throw e;
      }
      return BuildTable.make(relation(), join, room);
    }
  }

  private BuildTable table(Room room) {
    BuildTable own = ofOwnRows(room);
    return own == null ? BuildTable.make(relation(), join, room) : own;
  }

  /** The table of a build side that executors read themselves; null where Spark has to read it. */
  private @Nullable BuildTable ofOwnRows(Room room) {
    ReplicatedBroadcast own = replicated();
    DeviceRowSource rows = rows();
    if (own == null || rows == null) {
      return null;
    }
    own.keepMark();
    long start = System.nanoTime();
    List<DeviceBatch> batches = rows.onDevice(own.partitions(), room);
    if (batches == null) {
      return null;
    }
    long count = batches.stream().mapToLong(DeviceBatch::rows).sum();
    long bytes = batches.stream().mapToLong(DeviceBatch::bytes).sum();
    BuildTable table = BuildTable.make(batches, join, room);
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

  private boolean isThere(SparkEnv env, String field) {
    return env.blockManager().getStatus(new BroadcastBlockId(broadcast.id(), field)).isDefined();
  }

  @Override
  public boolean isKilled() {
    TaskContext task = TaskContext.get();
    return task != null && task.isInterrupted();
  }

  @Override
  public void checkWait() {
    DeviceWork.killIfInterrupted();
  }
}
