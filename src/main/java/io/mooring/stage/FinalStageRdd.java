package io.mooring.stage;

import io.mooring.expr.device.DeviceBatch;
import io.mooring.expr.device.SparkFallbackException;
import io.mooring.gpu.RefusedException;
import io.mooring.gpu.Room;
import io.mooring.gpu.RoomWait;
import io.mooring.scan.task.ResultTooLargeException;
import io.mooring.stage.device.BuildTables;
import io.mooring.stage.device.DeviceRowSource;
import io.mooring.stage.device.FinalOperators;
import io.mooring.stage.device.RowUpload;
import io.mooring.stage.program.StageProgram;
import io.mooring.stage.task.DeviceWork;
import io.mooring.stage.task.DownloadedRows;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.InterruptibleIterator;
import org.apache.spark.Partition;
import org.apache.spark.TaskContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.execution.joins.HashedRelation;
import org.apache.spark.util.TaskCompletionListener;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.Enumeration;
import scala.collection.Iterator;
import scala.jdk.javaapi.CollectionConverters;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/** The results of a final aggregate over the groups of one or more stages, in one partition. */
final class FinalStageRdd extends RDD<InternalRow> implements DeviceRowSource {
  private static final long serialVersionUID = 1;
  private static final Logger LOG = LoggerFactory.getLogger(FinalStageRdd.class);
  private static final ClassTag<InternalRow> ROW = ClassTag$.MODULE$.apply(InternalRow.class);

  private final GroupStages groups;
  private final StageProgram program;
  private final ArrayList<Broadcast<HashedRelation>> broadcasts;
  private final ArrayList<RDD<InternalRow>> fullJoinSides;
  private final FinalStageMetrics metrics;
  private transient volatile @Nullable HostResults copy;

  /**
   * @param bySpark computes the same results, in one partition
   * @param groups the partial groups
   * @param program the operators over merged groups
   * @param broadcasts the build sides of the program's joins, in order
   * @param fullJoinSides the rows of the build sides of the program's full outer joins, in order
   */
  FinalStageRdd(
      RDD<InternalRow> bySpark,
      GroupStages groups,
      StageProgram program,
      List<Broadcast<HashedRelation>> broadcasts,
      List<RDD<InternalRow>> fullJoinSides,
      FinalStageMetrics metrics) {
    super(bySpark, ROW);
    this.groups = groups;
    this.program = program;
    this.broadcasts = new ArrayList<>(broadcasts);
    this.fullJoinSides = new ArrayList<>(fullJoinSides);
    this.metrics = metrics;
  }

  @Override
  public Partition[] getPartitions() {
    return firstParent(ROW).partitions();
  }

  @Override
  public Enumeration.Value getOutputDeterministicLevel() {
    return StageRdd.anyOrder(super.getOutputDeterministicLevel());
  }

  @Override
  public Iterator<InternalRow> compute(Partition partition, TaskContext context) {
    DownloadedRows rows = ofGpu(context);
    if (rows == null) {
      context.killTaskIfInterrupted();
      return firstParent(ROW).iterator(partition, context);
    }
    context.addTaskCompletionListener((TaskCompletionListener) ended -> rows.close());
    return new InterruptibleIterator<>(context, CollectionConverters.asScala(rows));
  }

  /** All rows, before the first one leaves; null where Spark has to compute them. */
  private @Nullable DownloadedRows ofGpu(TaskContext context) {
    try {
      return DeviceWork.run(groups.factory(), this::downloaded);
    } catch (RuntimeException | OutOfMemoryError | LinkageError e) {
      context.killTaskIfInterrupted();
      // Errors of the query are found again, as Spark's own.
      LOG.warn("Spark computes an aggregate that the GPU could not", e);
      return null;
    }
  }

  private @Nullable DownloadedRows downloaded(Room room) {
    List<DeviceBatch> results = resultsWithRoom(room);
    return results == null ? null : ResultDownload.of(results, program.output());
  }

  /** The results, once there is room for them and for the groups; null where there is none. */
  private @Nullable List<DeviceBatch> resultsWithRoom(Room room) {
    TaskContext task = TaskContext.get();
    try {
      return room.attempt(
          RoomWait.longest(task::killTaskIfInterrupted), attempt -> onDevice(attempt, true));
    } catch (RefusedException e) {
      LOG.info("Spark computes an aggregate that the GPU does not: {}", e.getMessage());
      return null;
    }
  }

  /**
   * Gives null also where Spark has to merge the groups. In the only task of a job, all GPUs of the
   * process compute the results together, and each gets a copy.
   */
  @Override
  public @Nullable List<DeviceBatch> onDevice(Partition[] partitions, Room room) {
    HostResults copied = copy;
    List<DeviceBatch> results = copied == null ? null : copied.onDevice(room);
    if (results != null) {
      return results;
    }
    boolean isShared = DeviceWork.isOnlyTaskOfSeveralDevices(groups.factory());
    results = onDevice(room, isShared);
    if (isShared && results != null) {
      keepCopy(results, room);
    }
    return results;
  }

  private void keepCopy(List<DeviceBatch> results, Room room) {
    HostResults copied = HostResults.of(results, room);
    if (copied != null) {
      copy = copied;
      TaskContext.get().addTaskCompletionListener((TaskCompletionListener) end -> copied.close());
    }
  }

  @Override
  public boolean needsMoreRoomThanRows() {
    return true;
  }

  /**
   * The results; null where only Spark can compute them.
   *
   * @param isOnlyTask whether the calling thread's task is the only one of its job
   * @throws RefusedException when there is no room
   */
  @Nullable List<DeviceBatch> onDevice(Room room, boolean isOnlyTask) {
    try {
      return computed(room, isOnlyTask);
    } catch (SparkFallbackException | ResultTooLargeException e) {
      LOG.info("Spark computes an aggregate that the GPU does not: {}", e.getMessage());
      return null;
    }
  }

  private @Nullable List<DeviceBatch> computed(Room room, boolean isOnlyTask) {
    try (BuildTables builds =
        BuildTables.ofRowsOnDevice(broadcasts, DeviceWork.objects(groups.factory()))) {
      try {
        return computed(builds, room, isOnlyTask);
      } catch (RefusedException e) {
        throw e.beside(builds.bytesOfOneUser());
      }
    }
  }

  private @Nullable List<DeviceBatch> computed(BuildTables builds, Room room, boolean isOnlyTask) {
    // The groups' room is given back; only that of the results is kept.
    try (Room.Temporary temporary = room.temporary();
        DeviceSides sides = new DeviceSides()) {
      FinalOperators operators =
          new FinalOperators(groups.program(), program, builds, sides.all(), temporary::take);
      // Build sides come first: where one has no room, what follows would be done in vain.
      operators.prepare();
      try (GroupReads reads = GroupReads.start(groups, isOnlyTask)) {
        if (reads == null) {
          return null;
        }
        if (!fullJoinSides.isEmpty()) {
          // The stages' build sides come first: without room for them, the sides of full outer
          // joins, which need room too, would be computed in vain.
          reads.prepare(temporary);
        }
        for (RDD<InternalRow> side : fullJoinSides) {
          if (!sides.add(side, temporary, isOnlyTask)) {
            return null;
          }
        }
        List<DeviceBatch> partials = reads.all(temporary);
        return partials == null
            ? null
            : finished(operators, partials, reads.groupsOfOthers(), room);
      }
    }
  }

  private List<DeviceBatch> finished(
      FinalOperators operators, List<DeviceBatch> partials, long ofOtherGpus, Room room) {
    long start = System.nanoTime();
    long count = partials.stream().mapToLong(DeviceBatch::rows).sum();
    List<DeviceBatch> all = partials;
    if (count == 0 && groups.program().givesARow()) {
      partials.forEach(DeviceBatch::close);
      all = List.of(RowUpload.groupOfNothing(groups.program()));
    }
    List<DeviceBatch> results = operators.results(all);
    boolean fits = false;
    try {
      room.take(results.stream().mapToLong(DeviceBatch::bytes).sum());
      fits = true;
      long rows = results.stream().mapToLong(DeviceBatch::rows).sum();
      metrics.add(count, ofOtherGpus, rows, System.nanoTime() - start);
      return results;
    } finally {
      if (!fits) {
        results.forEach(DeviceBatch::close);
      }
    }
  }
}
