package io.mooring.scan;

import io.mooring.gpu.TaskGpu;
import io.mooring.parquet.read.UnitPipeline;
import io.mooring.parquet.source.IdleStreams;
import io.mooring.parquet.source.ParquetFile;
import io.mooring.parquet.unit.ReadUnit;
import io.mooring.parquet.unit.ScanCounters;
import io.mooring.parquet.unit.ScanCounters.Counter;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.spark.TaskKilledException;
import org.jspecify.annotations.Nullable;

/**
 * The loop of one task: decodes its units on the GPU in order, hands each to the output, and tells
 * what is left to Spark. Belongs to the thread of its task.
 */
final class UnitLoop implements AutoCloseable {
  private final ScanReaderFactory factory;
  private final TaskGpu gpu;
  private final ScanCounters counters;
  private final StepQueue steps;
  private final UnitFailures failures;
  private final UnitOutput output;
  private final @Nullable UnitPipeline pipeline;
  private final Deque<FileBatch> made = new ArrayDeque<>();
  private final Set<ParquetFile> files = new HashSet<>();

  /** What comes next. */
  sealed interface Piece {}

  /** A batch that the output has made, which is the caller's from here on. */
  record Made(FileBatch batch) implements Piece {}

  /** Rows without any column of their file. */
  record Counted(ScanSteps.Count count) implements Piece {}

  /** A stretch of a file that Spark reads. */
  record Left(FileSplit split) implements Piece {}

  /** Starts to read at once. */
  UnitLoop(
      ScanReaderFactory factory,
      ScanSteps steps,
      TaskGpu gpu,
      ScanCounters counters,
      UnitOutput output) {
    this.factory = factory;
    this.gpu = gpu;
    this.counters = counters;
    this.steps = new StepQueue(steps);
    this.failures = new UnitFailures(gpu, this.steps, factory.settings().mergeDistance());
    this.output = output;
    List<ReadUnit> units = steps.units();
    units.forEach(unit -> files.addAll(unit.files().files()));
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

  /** The next piece; null when there is none. */
  @Nullable Piece next() throws IOException {
    while (true) {
      if (made.isEmpty()) {
        settle(false);
      }
      if (!made.isEmpty()) {
        return new Made(made.remove());
      }
      ScanSteps.Step step = steps.poll();
      if (step == null) {
        settle(true);
        // What could not be given is left to Spark, in steps.
        step = made.isEmpty() ? steps.poll() : null;
        if (made.isEmpty() && step == null) {
          return null;
        }
      }
      Piece piece = step == null ? null : run(step);
      if (piece != null) {
        return piece;
      }
    }
  }

  private @Nullable Piece run(ScanSteps.Step step) throws IOException {
    if (step instanceof ScanSteps.Leave leave) {
      return new Left(leave.split());
    } else if (step instanceof ScanSteps.Count count) {
      return new Counted(count);
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
    return null;
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

  /** What a unit gives on the GPU. */
  private interface GpuWork {
    List<FileBatch> run() throws IOException, InterruptedException;
  }

  /** Makes the batches of a unit, or leaves it to Spark, which then comes next. */
  private void onGpu(ScanSteps.Decode step, GpuWork work) throws IOException {
    if (!gpu.usable()) {
      closePipeline();
      failures.withoutGpu(step);
      return;
    }
    try {
      gpu.useOnThisThread();
      gpu.objects().dropUnwanted();
      made.addAll(work.run());
      gpu.health().succeeded();
      counters.add(Counter.GPU_FILES, step.parts().stream().filter(UnitPart::first).count());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("The task was interrupted while it waited for the GPU");
    } catch (TaskKilledException e) {
      throw e;
    } catch (IOException | RuntimeException | OutOfMemoryError | LinkageError e) {
      failures.failed(step, e);
      if (!gpu.usable()) {
        // Before Spark is at work: others may wait for the room of what was read ahead.
        closePipeline();
      }
    }
  }

  /** Has the output merge or give what it holds, or leaves that to Spark. */
  private void settle(boolean atEnd) {
    if (!output.holds()) {
      return;
    }
    try {
      gpu.useOnThisThread();
      made.addAll(output.settle(atEnd));
    } catch (RuntimeException | OutOfMemoryError | LinkageError e) {
      failures.failedHeld(output.abandon(), e);
    }
  }

  /** Lets go what was read ahead, because Spark will read on this thread for a while. */
  void pause() {
    if (pipeline != null) {
      gpu.useToLetGo();
      pipeline.pause();
    }
  }

  private void closePipeline() {
    if (pipeline != null) {
      gpu.useToLetGo();
      pipeline.close();
    }
  }

  @Override
  public void close() {
    made.forEach(left -> left.batch().close());
    made.clear();
    steps.clear();
    closePipeline();
    files.forEach(IdleStreams::close);
    gpu.useToLetGo();
    output.abandon();
    output.close();
    gpu.close();
  }
}
