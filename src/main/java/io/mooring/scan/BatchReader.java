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
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
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

  private void countRows(ScanSteps.Count count) {
    FileSplit split = count.plan().split();
    InputFileBlockHolder.set(split.path(), split.start(), split.length());
    int rows = (int) Math.min(Integer.MAX_VALUE, count.plan().rows());
    batch = assembly.batch(count.plan(), List.of(), rows);
    ours = true;
  }

  /** False when the unit is left to Spark's reader, whose batches then come next. */
  private boolean decode(ScanSteps.Decode step) throws IOException {
    FileSplit split = step.plan().split();
    InputFileBlockHolder.set(split.path(), split.start(), split.length());
    try {
      gpu.useOnThisThread();
      batch = java.util.Objects.requireNonNull(pipeline).next(table -> download(step, table));
      ours = true;
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("The task was interrupted", e);
    } catch (IOException | RuntimeException | OutOfMemoryError e) {
      leaveToSpark(step, e);
      return false;
    }
  }

  private ColumnarBatch download(ScanSteps.Decode step, Table table) {
    long before = System.nanoTime();
    TableDownload.Result result = TableDownload.download(table, step.plan().decodedTypes());
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
    counters.add(Counter.CPU_FILES, 1);
    List<Object> all = new ArrayList<>();
    Iterator<Object> chained = all.iterator();
    for (int rowGroup : step.unit().rowGroups()) {
      chained = chain(chained, factory.spark().read(rowGroupSplit(step, rowGroup)));
    }
    sparkBatches = chained;
  }

  /** A stretch that holds the middle of exactly this row group. */
  private static FileSplit rowGroupSplit(ScanSteps.Decode step, int rowGroup) {
    BlockMetaData block = step.unit().footer().rowGroups().get(rowGroup);
    return step.plan()
        .split()
        .withRange(block.getStartingPos(), Math.max(1, block.getCompressedSize()));
  }

  private static Iterator<Object> chain(Iterator<Object> first, Iterator<Object> second) {
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return first.hasNext() || second.hasNext();
      }

      @Override
      public Object next() {
        return first.hasNext() ? first.next() : second.next();
      }
    };
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
    if (pipeline != null) {
      pipeline.close();
    }
  }
}
