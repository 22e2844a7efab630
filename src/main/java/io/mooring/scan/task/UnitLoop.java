package io.mooring.scan.task;

import io.mooring.columnar.ReadBatches;
import io.mooring.columnar.TableDownload;
import io.mooring.gpu.TaskGpu;
import io.mooring.parquet.read.UnitPipeline;
import io.mooring.parquet.source.IdleStreams;
import io.mooring.parquet.source.ParquetFile;
import io.mooring.parquet.unit.ReadUnit;
import io.mooring.parquet.unit.ScanCounters;
import io.mooring.parquet.unit.ScanCounters.Counter;
import io.mooring.scan.output.UnitOutput;
import io.mooring.scan.output.UnitOutput.FileBatch;
import io.mooring.scan.plan.ScanContext;
import io.mooring.scan.plan.ScanUnit;
import io.mooring.scan.plan.ScanUnit.FileUnit;
import io.mooring.scan.split.FileSplit;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.apache.spark.TaskContext;
import org.apache.spark.TaskKilledException;
import org.jspecify.annotations.Nullable;

/**
 * The loop of one task: decodes its units on the GPU in order, hands each to the output, and says
 * what Spark has to read. One thread at a time reads; any may close, also while that one is at
 * work.
 */
public final class UnitLoop implements AutoCloseable {
  private final TaskGpu gpu;
  private final ScanCounters counters;
  private final WorkQueue queue;
  private final FailurePolicy failures;
  private final UnitOutput output;
  private final @Nullable UnitPipeline pipeline;
  private final @Nullable UnitDecoder decoder;
  private final ReadBatches<FileBatch> batches =
      new ReadBatches<>(
          it -> it.batch().close(), it -> TableDownload.freeWhenUnreachable(it.batch()));
  // A table that names a path twice has two objects for each of its files.
  private final Set<ParquetFile> files = Collections.newSetFromMap(new IdentityHashMap<>());
  private final WorkState state = new WorkState();

  /** A result of the work. */
  public sealed interface Result {}

  /** A batch of decoded rows, valid until the next result. */
  public record Decoded(FileBatch batch) implements Result {}

  /** Rows without any column of their file. */
  public record Counted(ScanWork.CountRows count) implements Result {}

  /** A split that Spark's reader reads. */
  public record Fallback(FileSplit split) implements Result {}

  /** Starts to read at once. */
  public UnitLoop(
      ScanContext context,
      List<ScanWork> work,
      TaskGpu gpu,
      ScanCounters counters,
      UnitOutput output) {
    this.gpu = gpu;
    this.counters = counters;
    this.queue = new WorkQueue(work);
    this.failures = new FailurePolicy(gpu, queue, context.settings().mergeDistance());
    this.output = output;
    List<ReadUnit> units = ScanWork.readUnits(work);
    units.forEach(unit -> files.addAll(unit.files().files()));
    this.pipeline =
        units.isEmpty()
            ? null
            : new UnitPipeline(
                units,
                output.resources(gpu.scanResources()),
                context.configuration(),
                context.settings().checks(),
                counters,
                stillWanted());
    this.decoder =
        pipeline == null ? null : new UnitDecoder(context, pipeline, queue, output, counters);
  }

  /**
   * Ends a killed task while it waits for a store or for its turn: by default Spark does not
   * interrupt the threads of killed tasks.
   */
  private Runnable stillWanted() {
    TaskContext task = TaskContext.get();
    return () -> {
      state.requireOpen();
      if (task != null) {
        task.killTaskIfInterrupted();
      }
    };
  }

  /**
   * Tells that the calling thread reads the last batch; called before each row, unless that thread
   * asked for the batch.
   *
   * @throws IllegalStateException when the batch is free
   */
  public void readHere() {
    if (!batches.readHere()) {
      state.requireOpen();
    }
  }

  /**
   * The next result; null when there is none. The last batch is free then.
   *
   * @throws IllegalStateException when the loop is closed, by whatever thread
   */
  public @Nullable Result next() throws IOException {
    Result result;
    if (!begin()) {
      state.requireOpen();
    }
    try {
      result = nextResult();
    } finally {
      end();
    }
    state.requireOpen();
    return result;
  }

  private boolean begin() {
    batches.readHere();
    boolean open = state.begin();
    if (!open) {
      // What another thread left to this one.
      batches.close();
    }
    return open;
  }

  private void end() {
    if (state.end()) {
      release();
    }
  }

  private @Nullable Result nextResult() throws IOException {
    batches.freeCurrent();
    while (true) {
      state.requireOpen();
      if (batches.isEmpty()) {
        settle(false);
      }
      if (!batches.isEmpty()) {
        return new Decoded(batches.next());
      }
      ScanWork work = queue.poll();
      if (work == null) {
        settle(true);
        // Splits whose results the output lost are in the queue again, for Spark.
        work = batches.isEmpty() ? queue.poll() : null;
        if (batches.isEmpty() && work == null) {
          return null;
        }
      }
      Result result = work == null ? null : run(work);
      if (result != null) {
        return result;
      }
    }
  }

  private @Nullable Result run(ScanWork work) throws IOException {
    if (work instanceof ScanWork.Fallback fallback) {
      return new Fallback(fallback.split());
    } else if (work instanceof ScanWork.CountRows count) {
      return new Counted(count);
    } else if (work instanceof ScanWork.DecodeLate late) {
      onGpu(late.unit(), () -> decoder().decode(late));
    } else {
      ScanWork.Decode decode = (ScanWork.Decode) work;
      onGpu(decode.unit(), () -> decoder().decode(decode));
    }
    return null;
  }

  private UnitDecoder decoder() {
    return Objects.requireNonNull(decoder);
  }

  /** Work on the GPU that makes the batches of a unit. */
  private interface GpuWork {
    List<FileBatch> run() throws IOException, InterruptedException;
  }

  /** Makes the batches of a unit, or puts what replaces it next. */
  private void onGpu(ScanUnit unit, GpuWork work) throws IOException {
    if (!gpu.usable()) {
      closePipeline();
      failures.withoutGpu(unit);
      return;
    }
    try {
      gpu.useOnThisThread();
      gpu.objects().dropUnwanted();
      batches.addAll(work.run());
      gpu.health().succeeded();
      counters.add(Counter.GPU_FILES, unit.files().stream().filter(FileUnit::first).count());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("The task was interrupted while it waited for the GPU");
    } catch (TaskKilledException e) {
      throw e;
    } catch (IOException | RuntimeException | OutOfMemoryError | LinkageError e) {
      state.requireOpen();
      failures.failed(unit, e);
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
      batches.addAll(output.settle(atEnd));
    } catch (RuntimeException | OutOfMemoryError | LinkageError e) {
      failures.failedHeld(output.abandon(), e);
    }
  }

  /** Frees what was read ahead, because Spark will read on this thread for a while. */
  public void pause() {
    if (pipeline != null && begin()) {
      try {
        gpu.makeCurrentForRelease();
        pipeline.pause();
      } finally {
        end();
      }
    }
  }

  private void closePipeline() {
    if (pipeline != null) {
      gpu.makeCurrentForRelease();
      pipeline.close();
    }
  }

  @Override
  public void close() {
    if (state.close()) {
      release();
    }
  }

  private void release() {
    batches.close();
    queue.clear();
    closePipeline();
    files.forEach(IdleStreams::close);
    gpu.makeCurrentForRelease();
    output.abandon();
    output.close();
    gpu.close();
  }
}
