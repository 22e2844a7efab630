package io.mooring.datasource;

import io.mooring.gpu.TaskGpu;
import io.mooring.parquet.unit.ScanCounters;
import io.mooring.parquet.unit.ScanCounters.Counter;
import io.mooring.scan.fallback.SparkFileReader;
import io.mooring.scan.output.AggregateOutput;
import io.mooring.scan.output.FilterOutput;
import io.mooring.scan.output.ProjectOutput;
import io.mooring.scan.output.ScanOutput;
import io.mooring.scan.output.UnitOutput.FileBatch;
import io.mooring.scan.plan.ScanContext;
import io.mooring.scan.split.FileSplit;
import io.mooring.scan.task.ScanWork;
import io.mooring.scan.task.UnitLoop;
import java.io.IOException;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.rdd.InputFileBlockHolder;
import org.apache.spark.sql.connector.metric.CustomTaskMetric;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.jspecify.annotations.Nullable;

/**
 * The batches of one task: from the GPU, or from Spark's reader for what the GPU cannot read. One
 * thread at a time reads, any may close; a batch is valid until the next one.
 */
final class BatchReader implements PartitionReader<ColumnarBatch> {
  private final SparkFileReader spark;
  private final ScanCounters counters;
  private final boolean reports;
  private final ScanOutput output;
  private final UnitLoop loop;
  private Iterator<?> sparkBatches = Collections.emptyIterator();
  private @Nullable ColumnarBatch batch;
  private volatile boolean isAtEnd;

  /**
   * @param reports whether Spark gets the counters as metrics
   */
  BatchReader(
      ScanContext context,
      SparkFileReader spark,
      List<ScanWork> work,
      TaskGpu gpu,
      ScanCounters counters,
      boolean reports) {
    this.spark = spark;
    this.counters = counters;
    this.reports = reports;
    this.output = output(context, counters);
    this.loop = new UnitLoop(context, work, gpu, counters, output);
  }

  private static ScanOutput output(ScanContext context, ScanCounters counters) {
    if (context.pushdown().isNone()) {
      return new ProjectOutput(context, counters);
    }
    return context.pushdown().aggregate() == null
        ? new FilterOutput(context, counters)
        : new AggregateOutput(context);
  }

  @Override
  public boolean next() throws IOException {
    batch = null;
    while (batch == null) {
      if (sparkBatches.hasNext()) {
        // Spark's reader owns the batch, and reuses its vectors.
        batch = output.ofSpark((ColumnarBatch) sparkBatches.next());
      } else {
        UnitLoop.Result result = loop.next();
        if (result == null) {
          batch = output.atEnd();
          isAtEnd = batch == null;
          return !isAtEnd;
        }
        take(result);
      }
    }
    return true;
  }

  private void take(UnitLoop.Result result) {
    if (result instanceof UnitLoop.Fallback fallback) {
      counters.add(Counter.CPU_FILES, 1);
      sparkBatches = spark.read(fallback.split());
    } else if (result instanceof UnitLoop.Counted counted) {
      ScanWork.CountRows count = counted.count();
      counters.add(Counter.GPU_FILES, count.first() ? 1 : 0);
      set(count.plan().split(), output.ofCount(count.plan(), count.rows()));
    } else {
      FileBatch decoded = ((UnitLoop.Decoded) result).batch();
      set(decoded.split(), decoded.batch());
    }
  }

  private void set(FileSplit split, @Nullable ColumnarBatch next) {
    InputFileBlockHolder.set(split.shownPath(), split.start(), split.length());
    batch = next;
  }

  @Override
  public ColumnarBatch get() {
    if (batch == null) {
      throw new IllegalStateException("There is no batch: next() has not returned true");
    }
    return batch;
  }

  @Override
  public CustomTaskMetric[] currentMetricsValues() {
    return reports ? ScanMetrics.of(counters) : new CustomTaskMetric[0];
  }

  @Override
  public void close() {
    TaskReaders.close(isAtEnd, this::closeNow);
  }

  private void closeNow() {
    SparkFileReader.close(sparkBatches);
    InputFileBlockHolder.unset();
    loop.close();
  }
}
