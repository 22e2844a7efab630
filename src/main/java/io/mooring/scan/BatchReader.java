package io.mooring.scan;

import io.mooring.gpu.TaskGpu;
import io.mooring.parquet.ReadUnit;
import io.mooring.parquet.ScanCounters;
import io.mooring.parquet.ScanCounters.Counter;
import io.mooring.parquet.pipeline.UnitPipeline;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
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
  private final TaskGpu gpu;
  private final ScanCounters counters;
  private final StepQueue steps;
  private final UnitFailures failures;
  private final UnitOutput output;
  private final @Nullable UnitPipeline pipeline;
  private final Deque<FileBatch> made = new ArrayDeque<>();
  private Iterator<?> sparkBatches = Collections.emptyIterator();
  private @Nullable ColumnarBatch batch;
  private boolean ours;

  BatchReader(ScanReaderFactory factory, ScanSteps steps, TaskGpu gpu, ScanCounters counters) {
    this.factory = factory;
    this.gpu = gpu;
    this.counters = counters;
    this.steps = new StepQueue(steps);
    this.failures = new UnitFailures(gpu, this.steps, factory.settings().mergeDistance());
    this.output = factory.output(counters);
    List<ReadUnit> units = steps.units();
    this.pipeline =
        units.isEmpty()
            ? null
            : new UnitPipeline(
                units,
                gpu.scanResources(),
                factory.configuration(),
                factory.settings().checks(),
                counters);
  }

  @Override
  public boolean next() throws IOException {
    closeBatch();
    while (batch == null) {
      if (!made.isEmpty()) {
        FileBatch next = made.remove();
        setOurs(next.split(), next.batch());
      } else if (sparkBatches.hasNext()) {
        setSparks((ColumnarBatch) sparkBatches.next());
      } else {
        ScanSteps.Step step = steps.poll();
        if (step == null) {
          batch = output.atEnd();
          ours = true;
          return batch != null;
        }
        run(step);
      }
    }
    return true;
  }

  private void run(ScanSteps.Step step) throws IOException {
    if (step instanceof ScanSteps.Leave leave) {
      counters.add(Counter.CPU_FILES, 1);
      sparkBatches = factory.spark().read(leave.split());
    } else if (step instanceof ScanSteps.Count count) {
      counters.add(Counter.GPU_FILES, count.first() ? 1 : 0);
      setOurs(count.plan().split(), output.ofCount(count.plan(), count.rows()));
    } else if (step instanceof ScanSteps.Look look) {
      onGpu(look.whole(), () -> look(look));
    } else if (step instanceof ScanSteps.Retry retry) {
      ScanSteps.Decode part = retry.part();
      onGpu(part, () -> made(part, part.unit(), pipeline()::insertAlone));
    } else if (step instanceof ScanSteps.OneFile one) {
      ScanSteps.Decode part = one.part();
      onGpu(part, () -> made(part, part.unit(), pipeline()::insert));
    } else {
      ScanSteps.Decode decode = (ScanSteps.Decode) step;
      onGpu(decode, () -> made(decode, decode.unit(), pipeline()::next));
    }
  }

  private UnitPipeline pipeline() {
    return Objects.requireNonNull(pipeline);
  }

  private List<FileBatch> made(ScanSteps.Decode step, ReadUnit unit, UnitBatches.Decoding decoding)
      throws IOException, InterruptedException {
    return new UnitBatches(output, step, unit).made(decoding);
  }

  private List<FileBatch> look(ScanSteps.Look step) throws IOException, InterruptedException {
    Probe probe = step.probe();
    PageSkipping skipping = PageSkipping.of(factory, counters);
    AtomicReference<@Nullable ReadUnit> survivors = new AtomicReference<>();
    pipeline().next(probe.unit(), t -> survivors.set(probe.survivors(factory, t, skipping)));
    ReadUnit unit = survivors.get();
    probe.count(Optional.ofNullable(unit), counters);
    if (!ProbeHistory.shared().worthwhile(probe.key())) {
      steps.stopLooking(pipeline());
    }
    return unit == null ? List.of() : made(step.whole(), unit, pipeline()::insert);
  }

  private void setSparks(ColumnarBatch read) {
    batch = output.ofSpark(read);
    // Spark's reader uses its vectors again.
    ours = false;
  }

  /** What a unit gives on the GPU. */
  private interface GpuWork {
    List<FileBatch> run() throws IOException, InterruptedException;
  }

  /** Makes the batches of a unit, or leaves it to Spark's reader, whose batches then come next. */
  private void onGpu(ScanSteps.Decode step, GpuWork work) throws IOException {
    if (!gpu.usable()) {
      closePipeline();
      failures.withoutGpu(step);
      return;
    }
    try {
      gpu.useOnThisThread();
      made.addAll(work.run());
      gpu.health().succeeded();
      counters.add(Counter.GPU_FILES, step.parts().stream().filter(UnitPart::first).count());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("The task was interrupted while it waited for the GPU");
    } catch (IOException | RuntimeException | OutOfMemoryError | LinkageError e) {
      failures.failed(step, e);
      if (!gpu.usable()) {
        // Before Spark's reader is at work: others may wait for the room of what was read ahead.
        closePipeline();
      }
    }
  }

  private void closePipeline() {
    if (pipeline != null) {
      gpu.useToLetGo();
      pipeline.close();
    }
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
    return ScanMetrics.of(counters);
  }

  @Override
  public void close() {
    closeBatch();
    made.forEach(left -> left.batch().close());
    made.clear();
    steps.clear();
    SparkFileReader.close(sparkBatches);
    InputFileBlockHolder.unset();
    closePipeline();
    gpu.close();
  }
}
