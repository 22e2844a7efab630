package io.mooring.scan;

import ai.rapids.cudf.CudaFatalException;
import ai.rapids.cudf.Table;
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
import java.util.Optional;
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
  private final UnitOutput output;
  private final @Nullable UnitPipeline pipeline;
  private Iterator<?> sparkBatches = Collections.emptyIterator();
  private @Nullable ColumnarBatch batch;
  private boolean ours;

  BatchReader(ScanReaderFactory factory, ScanSteps steps, GpuRuntime gpu, ScanCounters counters) {
    this.factory = factory;
    this.gpu = gpu;
    this.counters = counters;
    this.steps = new ArrayDeque<>(steps.steps());
    this.output = factory.output(counters);
    List<ReadUnit> units = steps.units();
    this.pipeline =
        units.isEmpty()
            ? null
            : new UnitPipeline(units, gpu.scanResources(), factory.hadoop().value(), counters);
  }

  @Override
  public boolean next() throws IOException {
    closeBatch();
    while (batch == null) {
      if (sparkBatches.hasNext()) {
        setSparks((ColumnarBatch) sparkBatches.next());
      } else if (!steps.isEmpty()) {
        run(steps.remove());
      } else {
        batch = output.atEnd();
        ours = true;
        return batch != null;
      }
    }
    return true;
  }

  private void run(ScanSteps.Step step) throws IOException {
    if (step instanceof ScanSteps.Leave leave) {
      counters.add(Counter.CPU_FILES, 1);
      sparkBatches = factory.spark().read(leave.split());
    } else if (step instanceof ScanSteps.Count count) {
      setOurs(count.plan().split(), count.first(), output.ofCount(count.plan(), count.rows()));
    } else if (step instanceof ScanSteps.Look look) {
      onGpu(look.whole(), () -> look(look));
    } else {
      ScanSteps.Decode decode = (ScanSteps.Decode) step;
      onGpu(decode, () -> pipeline().next(decode.unit(), table -> made(decode, table)));
    }
  }

  private UnitPipeline pipeline() {
    return Objects.requireNonNull(pipeline);
  }

  private Optional<ColumnarBatch> made(ScanSteps.Decode step, Table table) {
    return Optional.ofNullable(output.ofDevice(step.plan(), table));
  }

  private Optional<ColumnarBatch> look(ScanSteps.Look step)
      throws IOException, InterruptedException {
    Probe probe = step.probe();
    Optional<ReadUnit> survivors =
        pipeline().next(probe.unit(), t -> Optional.ofNullable(probe.survivors(factory, t)));
    int kept = survivors.map(unit -> unit.rowGroups().length).orElse(0);
    counters.add(Counter.ROW_GROUPS_SKIPPED, probe.unit().rowGroups().length - kept);
    if (!ProbeHistory.shared().worthwhile(probe.key())) {
      stopLooking();
    }
    return survivors.isEmpty()
        ? Optional.empty()
        : pipeline().insert(survivors.get(), table -> made(step.whole(), table));
  }

  /** What has not been started is decoded without a first look. */
  private void stopLooking() {
    List<ScanSteps.Step> left =
        steps.stream()
            .map(
                step ->
                    step instanceof ScanSteps.Look look
                            && pipeline().exchange(look.probe().unit(), look.probe().whole())
                        ? look.whole()
                        : step)
            .toList();
    steps.clear();
    steps.addAll(left);
  }

  private void setSparks(ColumnarBatch read) {
    batch = output.ofSpark(read);
    // Spark's reader uses its vectors again.
    ours = false;
  }

  /** What a unit gives on the GPU. */
  private interface GpuWork {
    Optional<ColumnarBatch> run() throws IOException, InterruptedException;
  }

  /** Sets the batch of a unit, or leaves it to Spark's reader, whose batches then come next. */
  private void onGpu(ScanSteps.Decode step, GpuWork work) throws IOException {
    if (!gpu.usable()) {
      leaveToSpark(step, new IllegalStateException(gpu.reason()));
      return;
    }
    try {
      gpu.useOnThisThread();
      setOurs(step.plan().split(), step.first(), work.run().orElse(null));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("The task was interrupted while it waited for the GPU");
    } catch (IOException | RuntimeException | OutOfMemoryError e) {
      leaveToSpark(step, e);
    }
  }

  private void setOurs(FileSplit split, boolean first, @Nullable ColumnarBatch made) {
    InputFileBlockHolder.set(split.shownPath(), split.start(), split.length());
    counters.add(Counter.GPU_FILES, first ? 1 : 0);
    batch = made;
    ours = true;
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

  /** From the middle of the unit's first row group to that of its last: only these, and pruned. */
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
    SparkFileReader.close(sparkBatches);
    InputFileBlockHolder.unset();
    if (pipeline != null) {
      pipeline.close();
    }
  }
}
