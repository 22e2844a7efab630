package io.mooring.scan;

import ai.rapids.cudf.CudaFatalException;
import ai.rapids.cudf.Table;
import io.mooring.columnar.TableDownload;
import io.mooring.gpu.GpuRuntime;
import io.mooring.jni.CudaFailure;
import io.mooring.parquet.ReadUnit;
import io.mooring.parquet.ScanCounters;
import io.mooring.parquet.ScanCounters.Counter;
import io.mooring.parquet.UnitPipeline;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import org.apache.spark.rdd.InputFileBlockHolder;
import org.apache.spark.sql.connector.metric.CustomTaskMetric;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.jspecify.annotations.Nullable;

/**
 * The batches of one task: from the GPU, or from Spark's reader for what the GPU cannot read.
 * Belongs to the thread of its task; a batch is valid until the next one.
 */
final class BatchReader implements PartitionReader<ColumnarBatch> {
  private final ScanReaderFactory factory;
  private final GpuRuntime gpu;
  private final ScanCounters counters;
  private final Deque<ScanSteps.Step> steps;
  private final BatchAssembly assembly;
  private final @Nullable UnitPipeline pipeline;
  private Iterator<?> sparkBatches = Collections.emptyIterator();
  private @Nullable ColumnarBatch batch;
  private boolean ours;

  BatchReader(ScanReaderFactory factory, ScanSteps steps, GpuRuntime gpu, ScanCounters counters) {
    this.factory = factory;
    this.gpu = gpu;
    this.counters = counters;
    this.steps = new ArrayDeque<>(steps.steps());
    this.assembly = new BatchAssembly(factory.dataColumns(), factory.partitionColumns());
    List<ReadUnit> units = steps.units();
    this.pipeline =
        units.isEmpty()
            ? null
            : new UnitPipeline(units, gpu.scanResources(), factory.hadoop().value(), counters);
  }

  @Override
  public boolean next() throws IOException {
    closeBatch();
    while (!sparkBatches.hasNext()) {
      ScanSteps.Step step = steps.poll();
      if (step == null) {
        return false;
      } else if (step instanceof ScanSteps.Leave leave) {
        counters.add(Counter.CPU_FILES, 1);
        sparkBatches = factory.spark().read(leave.split());
      } else if (step instanceof ScanSteps.Count count) {
        countRows(count);
        return true;
      } else if (decode((ScanSteps.Decode) step)) {
        return true;
      }
    }
    batch = (ColumnarBatch) sparkBatches.next();
    ours = false;
    return true;
  }

  private void countRows(ScanSteps.Count step) {
    setOurs(step.plan().split(), step.first(), assembly.batch(step.plan(), List.of(), step.rows()));
  }

  /** False when the unit is left to Spark's reader, whose batches then come next. */
  private boolean decode(ScanSteps.Decode step) throws IOException {
    if (!gpu.usable()) {
      leaveToSpark(step, new IllegalStateException(gpu.reason()));
      return false;
    }
    try {
      gpu.useOnThisThread();
      ColumnarBatch decoded =
          Objects.requireNonNull(pipeline).next(step.unit(), table -> download(step, table));
      setOurs(step.plan().split(), step.first(), decoded);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("The task was interrupted while it waited for the GPU");
    } catch (IOException | RuntimeException | OutOfMemoryError e) {
      leaveToSpark(step, e);
      return false;
    }
  }

  private void setOurs(FileSplit split, boolean first, ColumnarBatch made) {
    InputFileBlockHolder.set(split.shownPath(), split.start(), split.length());
    counters.add(Counter.GPU_FILES, first ? 1 : 0);
    batch = made;
    ours = true;
  }

  private ColumnarBatch download(ScanSteps.Decode step, Table table) {
    long before = System.nanoTime();
    TableDownload.Result result = TableDownload.download(table, step.plan().columns().types());
    counters.add(Counter.DOWNLOAD_TIME, System.nanoTime() - before);
    counters.add(Counter.DOWNLOAD_BYTES, result.bytes());
    return assembly.batch(step.plan(), result.columns(), (int) step.unit().rows());
  }

  private void leaveToSpark(ScanSteps.Decode step, Throwable cause) {
    boolean lost =
        cause instanceof CudaFatalException
            || (cause instanceof CudaFailure failure && failure.isSticky());
    if (lost) {
      gpu.markLost(cause);
    }
    FallbackLog.unit(step.plan().split().path(), cause);
    steps.addFirst(new ScanSteps.Leave(stretchOf(step)));
  }

  /** From the middle of the unit's first row group to that of its last: these and no others. */
  private static FileSplit stretchOf(ScanSteps.Decode step) {
    long[] middles = step.unit().footer().middles();
    int[] rowGroups = step.unit().rowGroups();
    long start = middles[rowGroups[0]];
    long end = middles[rowGroups[rowGroups.length - 1]] + 1;
    return step.plan().split().withRange(start, end - start);
  }

  @Override
  public ColumnarBatch get() {
    if (batch == null) {
      throw new IllegalStateException("There is no batch: next() has not returned true");
    }
    return batch;
  }

  /** Closes our batches only: Spark's reader uses its vectors again. */
  private void closeBatch() {
    if (batch != null && ours) {
      batch.close();
    }
    batch = null;
  }

  @Override
  public CustomTaskMetric[] currentMetricsValues() {
    return ScanMetrics.of(counters);
  }

  @Override
  public void close() {
    closeBatch();
    steps.clear();
    InputFileBlockHolder.unset();
    if (pipeline != null) {
      pipeline.close();
    }
  }
}
