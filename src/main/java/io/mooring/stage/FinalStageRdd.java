package io.mooring.stage;

import io.mooring.expr.device.DeviceBatch;
import io.mooring.expr.device.SparkFallbackException;
import io.mooring.gpu.RefusedException;
import io.mooring.gpu.SharedObjects;
import io.mooring.scan.task.ResultTooLargeException;
import io.mooring.stage.device.DeviceRowSource;
import io.mooring.stage.device.FinalOperators;
import io.mooring.stage.program.StageProgram;
import java.util.List;
import org.apache.spark.Partition;
import org.apache.spark.TaskContext;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.collection.Iterator;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/** The results of a final aggregate over the groups of a stage, in one partition. */
final class FinalStageRdd extends RDD<InternalRow> implements DeviceRowSource {
  private static final long serialVersionUID = 1;
  private static final Logger LOG = LoggerFactory.getLogger(FinalStageRdd.class);
  private static final ClassTag<InternalRow> ROW = ClassTag$.MODULE$.apply(InternalRow.class);

  private final StageRdd groups;
  // Executors have no partitions of a scan but these.
  private final Partition[] groupPartitions;
  private final StageProgram program;
  private final FinalStageMetrics metrics;

  /**
   * @param bySpark computes the same results, in one partition
   * @param program the operators over merged groups
   */
  FinalStageRdd(
      RDD<InternalRow> bySpark, StageRdd groups, StageProgram program, FinalStageMetrics metrics) {
    super(bySpark, ROW);
    this.groups = groups;
    this.groupPartitions = groups.partitions();
    this.program = program;
    this.metrics = metrics;
  }

  @Override
  public Partition[] getPartitions() {
    return firstParent(ROW).partitions();
  }

  @Override
  public Iterator<InternalRow> compute(Partition partition, TaskContext context) {
    return firstParent(ROW).iterator(partition, context);
  }

  /** Gives null also where the groups do not fit, or Spark has to merge them. */
  @Override
  public @Nullable List<DeviceBatch> onDevice(Partition[] partitions, SharedObjects.Room room) {
    // The groups' room is given back; only that of the results is kept.
    try (SharedObjects.TemporaryRoom temporary = room.temporary()) {
      List<DeviceBatch> partials = groups.groupsOnDevice(groupPartitions, temporary);
      return partials == null ? null : finished(partials, temporary, room);
    } catch (SparkFallbackException | ResultTooLargeException | RefusedException e) {
      LOG.info("Spark computes the aggregate of a build side: {}", e.getMessage());
      return null;
    }
  }

  private @Nullable List<DeviceBatch> finished(
      List<DeviceBatch> partials, SharedObjects.Room temporary, SharedObjects.Room room) {
    long start = System.nanoTime();
    long count = partials.stream().mapToLong(DeviceBatch::rows).sum();
    if (count == 0 && groups.program().givesARow()) {
      partials.forEach(DeviceBatch::close);
      return null;
    }
    List<DeviceBatch> results =
        new FinalOperators(groups.program(), program, temporary::take).results(partials);
    boolean kept = false;
    try {
      room.take(results.stream().mapToLong(DeviceBatch::bytes).sum());
      kept = true;
      long rows = results.stream().mapToLong(DeviceBatch::rows).sum();
      metrics.add(count, rows, System.nanoTime() - start);
      return results;
    } finally {
      if (!kept) {
        results.forEach(DeviceBatch::close);
      }
    }
  }
}
