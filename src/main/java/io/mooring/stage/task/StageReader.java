package io.mooring.stage.task;

import io.mooring.datasource.ScanMetrics;
import io.mooring.datasource.ScanReaderFactory;
import io.mooring.expr.device.SparkFallbackException;
import io.mooring.gpu.GpuRuntime;
import io.mooring.gpu.SharedObjects;
import io.mooring.gpu.TaskGpu;
import io.mooring.parquet.unit.ScanCounters;
import io.mooring.scan.fallback.FallbackLog;
import io.mooring.scan.fallback.FallbackPartition;
import io.mooring.scan.plan.ScanContext;
import io.mooring.scan.split.FileSplit;
import io.mooring.scan.task.ScanWork;
import io.mooring.scan.task.TaskPlanner;
import io.mooring.scan.task.UnitLoop;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.Supplier;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.connector.metric.CustomTaskMetric;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.jspecify.annotations.Nullable;

/**
 * The rows of one task of a stage: from the GPU, or from Spark's operators for what the GPU cannot
 * read or compute. One thread at a time reads, any may close; a row is valid until the next one.
 */
public final class StageReader implements Iterator<InternalRow>, AutoCloseable {
  private final Work work;
  private final ScanCounters counters = new ScanCounters();
  private final StageCounters stage = new StageCounters();
  private final UnitLoop loop;
  private final UnsafeProjection projection;
  private Iterator<InternalRow> rows = Collections.emptyIterator();
  private final List<FileSplit> leftToSpark = new ArrayList<>();
  private boolean hasRows;
  private boolean over;

  /** The part of a stage that one task runs. */
  public interface Work {
    /**
     * Creates operators for this work, which the caller closes; called only where there is a GPU.
     *
     * @param shared gives the objects that tasks share on this task's device; called only when one
     *     is used
     */
    StageOperators operators(Supplier<SharedObjects> shared);

    /** The types of the columns that leave it, flat ones. */
    List<DataType> types();

    /** Whether even a task without rows gives one: that of an aggregate without keys. */
    boolean givesARow();

    /**
     * Whether a sort with a limit ends it. Each time that Spark's operators run, the sort holds a
     * page of memory until the task ends, because nobody reads it to its end.
     */
    boolean endsInTop();

    /** The rows that Spark's operators make of some of the scan's files. */
    Iterator<InternalRow> bySpark(InputPartition files);
  }

  private StageReader(ScanContext context, List<FileSplit> splits, GpuRuntime gpu, Work work) {
    this.work = work;
    this.projection = UnsafeProjection.create(work.types().toArray(DataType[]::new));
    TaskGpu device = ScanContext.ofTask(gpu);
    StageOperators operators = work.operators(device::objects);
    boolean open = false;
    try {
      ScanContext pruned = DeviceWork.prepare(context, splits, device, operators);
      List<ScanWork> planned =
          DeviceWork.units(new TaskPlanner(pruned, gpu, counters), splits, context, operators);
      StageOutput output =
          new StageOutput(
              new UnitOperators(context, operators, stage), work.types(), counters, stage);
      this.loop = new UnitLoop(context, planned, device, counters, output);
      open = true;
    } finally {
      if (!open) {
        DeviceWork.release(device, operators);
      }
    }
  }

  /**
   * Opens a reader. Returns null without a usable GPU, or if the GPU cannot have the objects that
   * the operators share with other tasks.
   *
   * @param factory the reader factory of a scan that a stage can be over
   * @param partitions the input partitions of the task
   */
  public static @Nullable StageReader open(
      PartitionReaderFactory factory, List<InputPartition> partitions, Work work) {
    ScanContext context = ((ScanReaderFactory) factory).context();
    GpuRuntime gpu = context.gpu();
    if (!gpu.usable()) {
      return null;
    }
    List<FileSplit> splits = DeviceWork.splits(partitions);
    try {
      return new StageReader(context, splits, gpu, work);
    } catch (SparkFallbackException e) {
      // Falls back at once: each unit would be decoded in vain, and then read again.
      FallbackLog.computed(splits.stream().map(FileSplit::file).toList(), e);
      return null;
    }
  }

  @Override
  public boolean hasNext() {
    if (!over) {
      loop.readHere();
    }
    while (!rows.hasNext()) {
      rows = Collections.emptyIterator();
      if (over) {
        return false;
      }
      try {
        take(loop.next());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return true;
  }

  private void take(UnitLoop.@Nullable Result result) {
    if (result == null) {
      over = true;
      // The rest of the task needs no GPU.
      loop.close();
      if (!leftToSpark.isEmpty() || (!hasRows && work.givesARow())) {
        bySpark(leftToSpark);
      }
    } else if (result instanceof UnitLoop.Fallback fallback) {
      leave(fallback.split());
    } else if (result instanceof UnitLoop.Counted counted) {
      // Rare: a query that takes a column of its files, of which these have none.
      if (counted.count().first()) {
        leave(counted.count().plan().split());
      }
    } else {
      ofGpu(((UnitLoop.Decoded) result).batch().batch());
    }
  }

  /** Leaves a split to Spark's operators: at once, or all of them at the end of the task. */
  private void leave(FileSplit split) {
    stage.fellBack();
    if (work.endsInTop()) {
      leftToSpark.add(split);
    } else {
      bySpark(List.of(split));
    }
  }

  private void bySpark(List<FileSplit> splits) {
    // Another reader of this task will wait for room on the GPU.
    loop.pause();
    hasRows = true;
    rows = work.bySpark(new FallbackPartition(splits, counters));
  }

  private void ofGpu(ColumnarBatch decoded) {
    hasRows |= decoded.numRows() > 0;
    Iterator<InternalRow> columnar = decoded.rowIterator();
    rows =
        new Iterator<>() {
          @Override
          public boolean hasNext() {
            return columnar.hasNext();
          }

          @Override
          public InternalRow next() {
            return projection.apply(columnar.next());
          }
        };
  }

  @Override
  public InternalRow next() {
    if (!hasNext()) {
      throw new NoSuchElementException("The task has no more rows");
    }
    stage.out();
    return rows.next();
  }

  /** Metrics of the scan so far. */
  public CustomTaskMetric[] scanMetrics() {
    return ScanMetrics.of(counters);
  }

  /** Metrics of the stage so far. */
  public StageCounters counters() {
    return stage;
  }

  @Override
  public void close() {
    loop.close();
  }
}
