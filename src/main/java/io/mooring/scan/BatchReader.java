package io.mooring.scan;

import io.mooring.gpu.TaskGpu;
import io.mooring.parquet.unit.ScanCounters;
import io.mooring.parquet.unit.ScanCounters.Counter;
import java.io.IOException;
import java.util.Collections;
import java.util.Iterator;
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
  private final ScanCounters counters;
  private final boolean reports;
  private final BatchOutput output;
  private final UnitLoop loop;
  private Iterator<?> sparkBatches = Collections.emptyIterator();
  private @Nullable ColumnarBatch batch;
  private boolean ours;

  /**
   * @param reports whether Spark is told what is counted
   */
  BatchReader(
      ScanReaderFactory factory,
      ScanSteps steps,
      TaskGpu gpu,
      ScanCounters counters,
      boolean reports) {
    this.factory = factory;
    this.counters = counters;
    this.reports = reports;
    this.output = factory.output(counters);
    this.loop = new UnitLoop(factory, steps, gpu, counters, output);
  }

  @Override
  public boolean next() throws IOException {
    closeBatch();
    while (batch == null) {
      if (sparkBatches.hasNext()) {
        setSparks((ColumnarBatch) sparkBatches.next());
      } else {
        UnitLoop.Piece piece = loop.next();
        if (piece == null) {
          batch = output.atEnd();
          ours = true;
          return batch != null;
        }
        take(piece);
      }
    }
    return true;
  }

  private void take(UnitLoop.Piece piece) {
    if (piece instanceof UnitLoop.Left left) {
      counters.add(Counter.CPU_FILES, 1);
      sparkBatches = factory.spark().read(left.split());
    } else if (piece instanceof UnitLoop.Counted counted) {
      ScanSteps.Count count = counted.count();
      counters.add(Counter.GPU_FILES, count.first() ? 1 : 0);
      setOurs(count.plan().split(), output.ofCount(count.plan(), count.rows()));
    } else {
      FileBatch made = ((UnitLoop.Made) piece).batch();
      setOurs(made.split(), made.batch());
    }
  }

  private void setSparks(ColumnarBatch read) {
    batch = output.ofSpark(read);
    // Spark's reader uses its vectors again.
    ours = false;
  }

  private void setOurs(FileSplit split, @Nullable ColumnarBatch next) {
    InputFileBlockHolder.set(split.shownPath(), split.start(), split.length());
    batch = next;
    ours = true;
  }

  @Override
  public ColumnarBatch get() {
    if (batch == null) {
      throw new IllegalStateException("There is no batch: next() has not returned true");
    }
    return batch;
  }

  private void closeBatch() {
    if (batch != null && ours) {
      batch.close();
    }
    batch = null;
  }

  @Override
  public CustomTaskMetric[] currentMetricsValues() {
    return reports ? ScanMetrics.of(counters) : new CustomTaskMetric[0];
  }

  @Override
  public void close() {
    closeBatch();
    SparkFileReader.close(sparkBatches);
    InputFileBlockHolder.unset();
    loop.close();
  }
}
