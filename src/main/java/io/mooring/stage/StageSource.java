package io.mooring.stage;

import io.mooring.expr.device.DeviceBatch;
import io.mooring.gpu.RefusedException;
import io.mooring.gpu.Room;
import io.mooring.stage.device.RowUpload;
import io.mooring.stage.program.StageProgram;
import io.mooring.stage.task.DeviceStageReader;
import io.mooring.stage.task.DeviceWork;
import io.mooring.stage.task.StageOperators;
import io.mooring.stage.task.StageReader;
import java.util.Iterator;
import java.util.List;
import java.util.function.Predicate;
import org.apache.spark.TaskKilledException;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Partitions of a stage whose rows are read to the device.
 *
 * @param room asked for what Spark computes of them, too
 */
record StageSource(
    PartitionReaderFactory factory,
    List<InputPartition> inputs,
    StageReader.Work work,
    StageProgram program,
    Room room,
    StageMetrics metrics)
    implements ParallelStageReader.Source, DeviceStageReader.Target {
  private static final Logger LOG = LoggerFactory.getLogger(StageSource.class);

  @Override
  public StageOperators prepared() {
    StageOperators operators = work.operators(DeviceWork.objects(factory));
    boolean done = false;
    try {
      if (DeviceWork.reads(factory, inputs)) {
        attempt(operators::prepare, operators::isErrorOfQuery);
      }
      done = true;
    } finally {
      if (!done) {
        operators.close();
      }
    }
    return operators;
  }

  /**
   * Makes build sides ahead of the readers that need them, which meet again what fails here.
   *
   * @param isErrorOfQuery tells the failures to throw
   * @throws RefusedException when there is no room
   */
  static void attempt(Runnable preparation, Predicate<Throwable> isErrorOfQuery) {
    try {
      preparation.run();
    } catch (RefusedException | TaskKilledException e) {
      throw e;
    } catch (Exception | OutOfMemoryError | LinkageError e) {
      // Scala throws checked exceptions.
      if (isErrorOfQuery.test(e)) {
        throw e;
      }
      LOG.debug("A build side of a join was not made ahead", e);
    }
  }

  @Override
  public @Nullable DeviceStageReader open(List<InputPartition> share) {
    return DeviceStageReader.open(factory, share, work, this);
  }

  @Override
  public void ended(DeviceStageReader reader) {
    metrics.add(reader.counters(), reader.scanMetrics());
  }

  @Override
  public void take(long bytes) {
    room.take(bytes);
  }

  @Override
  public DeviceBatch uploaded(Iterator<InternalRow> rows) {
    return RowUpload.uploaded(rows, program.output());
  }
}
