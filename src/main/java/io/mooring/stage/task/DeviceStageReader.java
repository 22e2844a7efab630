package io.mooring.stage.task;

import ai.rapids.cudf.Cuda;
import io.mooring.datasource.ScanMetrics;
import io.mooring.datasource.ScanReaderFactory;
import io.mooring.expr.device.DeviceBatch;
import io.mooring.expr.device.SparkFallbackException;
import io.mooring.gpu.GpuRuntime;
import io.mooring.gpu.TaskGpu;
import io.mooring.parquet.unit.ScanCounters;
import io.mooring.scan.fallback.FallbackPartition;
import io.mooring.scan.plan.ScanContext;
import io.mooring.scan.split.FileSplit;
import io.mooring.scan.task.ScanWork;
import io.mooring.scan.task.TaskPlanner;
import io.mooring.scan.task.UnitLoop;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.metric.CustomTaskMetric;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads all rows or partial groups that a stage makes of some partitions, and keeps them on the
 * device: first what the GPU can read and compute, on any thread, then the rest with Spark's
 * operators, on the thread of the task. Belongs to one thread at a time.
 */
public final class DeviceStageReader implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DeviceStageReader.class);

  private final StageReader.Work work;
  private final Target target;
  private final ScanCounters counters = new ScanCounters();
  private final StageCounters stage = new StageCounters();
  private final TaskGpu gpu;
  private final DeviceOutput output;
  private final StageOperators operators;
  private final UnitLoop loop;
  private final List<FileSplit> bySpark = new ArrayList<>();

  /** The receiver of the rows. */
  public interface Target {
    /** Asks for so many bytes on the device; fails when there is no room. */
    void take(long bytes);

    /** Rows of Spark's on the device, which the caller closes. */
    DeviceBatch uploaded(Iterator<InternalRow> rows);
  }

  private DeviceStageReader(
      ScanContext context,
      List<FileSplit> splits,
      GpuRuntime runtime,
      StageReader.Work work,
      Target target) {
    this.work = work;
    this.target = target;
    this.gpu = ScanContext.ofTask(runtime);
    this.operators = work.operators(gpu::objects);
    boolean open = false;
    try {
      ScanContext pruned = prepare(context, splits, operators);
      List<ScanWork> planned =
          DeviceWork.units(new TaskPlanner(pruned, runtime, counters), splits, context, operators);
      this.output = new DeviceOutput(new UnitOperators(context, operators, stage), target::take);
      this.loop = new UnitLoop(context, planned, gpu, counters, output);
      open = true;
    } finally {
      if (!open) {
        DeviceWork.release(gpu, operators);
      }
    }
  }

  private ScanContext prepare(
      ScanContext context, List<FileSplit> splits, StageOperators operators) {
    try {
      return DeviceWork.prepare(context, splits, gpu, operators);
    } catch (SparkFallbackException e) {
      LOG.debug("Spark computes a part of the build side of a join: {}", e.toString());
      return context;
    }
  }

  /** Starts to read, as {@link StageReader#open} does; null where there is no GPU. */
  public static @Nullable DeviceStageReader open(
      PartitionReaderFactory factory,
      List<InputPartition> partitions,
      StageReader.Work work,
      Target target) {
    ScanContext context = ((ScanReaderFactory) factory).context();
    GpuRuntime gpu = context.gpu();
    return gpu.usable()
        ? new DeviceStageReader(context, DeviceWork.splits(partitions), gpu, work, target)
        : null;
  }

  /**
   * Decodes and computes what the GPU can; waits until it is complete for other threads.
   *
   * @throws UncheckedIOException when a file cannot be read, or the thread was interrupted
   */
  public void decode() {
    boolean complete = false;
    try {
      readAll();
      output.merge();
      Cuda.DEFAULT_STREAM.sync();
      // Another reader of this thread will wait for room on the GPU, and make build sides.
      loop.pause();
      operators.close();
      complete = true;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      if (!complete) {
        awaitDevice();
      }
    }
  }

  /**
   * The splits that the GPU could not read or compute, which the caller has read otherwise; after
   * {@link #decode}. Then {@link #take} needs no Spark and may run on any thread.
   */
  public List<FileSplit> leave() {
    List<FileSplit> left = List.copyOf(bySpark);
    bySpark.clear();
    return left;
  }

  /** Whether there was no room on the device for what was read; to read more is useless then. */
  public boolean isRefused() {
    return output.isRefused();
  }

  private void readAll() throws IOException {
    while (!output.isRefused()) {
      // Where all bytes are there already, nothing else looks.
      DeviceWork.killIfInterrupted();
      if (Thread.currentThread().isInterrupted()) {
        throw new InterruptedIOException("The thread was interrupted while it read for a task");
      }
      UnitLoop.Result result = loop.next();
      if (result == null) {
        return;
      } else if (result instanceof UnitLoop.Fallback fallback) {
        bySpark.add(fallback.split());
      } else if (result instanceof UnitLoop.Counted counted && counted.count().first()) {
        bySpark.add(counted.count().plan().split());
      }
    }
  }

  /**
   * Waits for this thread's kernels, which may read tables of joins that another thread releases.
   */
  private static void awaitDevice() {
    try {
      Cuda.DEFAULT_STREAM.sync();
    } catch (RuntimeException | LinkageError e) {
      LOG.debug("The device was lost while the build side of a join was read", e);
    }
  }

  /**
   * All rows, in any order, which the caller closes; after {@link #decode}, once, on the thread of
   * the task.
   *
   * @throws RuntimeException what Spark's operators, or the target, throw
   */
  public List<DeviceBatch> take() {
    // Another reader of this task will wait for room on the GPU.
    loop.pause();
    output.check();
    for (List<FileSplit> splits : runsOfSpark()) {
      DeviceWork.killIfInterrupted();
      splits.forEach(split -> stage.fellBack());
      DeviceBatch rows = target.uploaded(work.bySpark(new FallbackPartition(splits, counters)));
      gpu.useOnThisThread();
      output.keep(rows);
    }
    bySpark.clear();
    return output.take();
  }

  /** The splits of each run of Spark's operators. */
  private List<List<FileSplit>> runsOfSpark() {
    if (bySpark.isEmpty()) {
      return List.of();
    }
    return work.endsInTop() ? List.of(bySpark) : bySpark.stream().map(List::of).toList();
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
