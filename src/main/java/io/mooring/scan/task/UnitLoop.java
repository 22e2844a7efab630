package io.mooring.scan.task;

import ai.rapids.cudf.Table;
import io.mooring.columnar.WideningCasts;
import io.mooring.gpu.TaskGpu;
import io.mooring.parquet.read.UnitPipeline;
import io.mooring.parquet.read.UnitTables;
import io.mooring.parquet.source.IdleStreams;
import io.mooring.parquet.source.ParquetFile;
import io.mooring.parquet.unit.ReadUnit;
import io.mooring.parquet.unit.ScanCounters;
import io.mooring.parquet.unit.ScanCounters.Counter;
import io.mooring.scan.output.DecodedUnit;
import io.mooring.scan.output.LiveRows;
import io.mooring.scan.output.UnitOutput;
import io.mooring.scan.output.UnitOutput.FileBatch;
import io.mooring.scan.plan.FileUnit;
import io.mooring.scan.plan.ScanContext;
import io.mooring.scan.plan.ScanUnit;
import io.mooring.scan.split.FileSplit;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.apache.spark.TaskKilledException;
import org.jspecify.annotations.Nullable;

/**
 * The loop of one task: decodes its units on the GPU in order, hands each to the output, and says
 * what Spark has to read. Belongs to the thread of its task.
 */
public final class UnitLoop implements AutoCloseable {
  private final ScanContext context;
  private final TaskGpu gpu;
  private final ScanCounters counters;
  private final WorkQueue queue;
  private final FailurePolicy failures;
  private final UnitOutput output;
  private final @Nullable UnitPipeline pipeline;
  private final Deque<FileBatch> made = new ArrayDeque<>();
  private final Set<ParquetFile> files = new HashSet<>();

  /** What comes of the work, in order. */
  public sealed interface Result {}

  /** A batch that the output has made, which is the caller's from here on. */
  public record Made(FileBatch batch) implements Result {}

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
    this.context = context;
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
                gpu.scanResources(),
                context.configuration(),
                context.settings().checks(),
                counters);
  }

  /** The next result; null when there is none. */
  public @Nullable Result next() throws IOException {
    while (true) {
      if (made.isEmpty()) {
        settle(false);
      }
      if (!made.isEmpty()) {
        return new Made(made.remove());
      }
      ScanWork work = queue.poll();
      if (work == null) {
        settle(true);
        // What the output could not give is in the queue again, for Spark.
        work = made.isEmpty() ? queue.poll() : null;
        if (made.isEmpty() && work == null) {
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
      onGpu(late.unit(), () -> decodedLate(late));
    } else {
      ScanWork.Decode decode = (ScanWork.Decode) work;
      onGpu(decode.unit(), () -> decoded(decode.unit(), decode.unit(), decode.attempt()));
    }
    return null;
  }

  private UnitPipeline pipeline() {
    return Objects.requireNonNull(pipeline);
  }

  private UnitTables tables(ReadUnit unit, ScanWork.Attempt attempt)
      throws IOException, InterruptedException {
    return switch (attempt) {
      case PLANNED -> pipeline().next(unit);
      case UNPLANNED -> pipeline().insert(unit);
      case ALONE -> pipeline().insertAlone(unit);
    };
  }

  private List<FileBatch> decodedLate(ScanWork.DecodeLate work)
      throws IOException, InterruptedException {
    LateMaterialization probe = work.probe();
    ReadUnit unit = survivors(probe);
    probe.count(Optional.ofNullable(unit), counters);
    if (!SelectivityHistory.shared().worthwhile(probe.key())) {
      queue.stopLateMaterialization(pipeline());
    }
    return unit == null
        ? List.of()
        : decoded(work.unit(), work.unit().with(unit), ScanWork.Attempt.UNPLANNED);
  }

  /** Decodes the filter's columns; null when no row passes. */
  private @Nullable ReadUnit survivors(LateMaterialization probe)
      throws IOException, InterruptedException {
    PageSkipping skipping = PageSkipping.of(context, counters);
    try (UnitTables tables = pipeline().next(probe.unit());
        Table table = Objects.requireNonNull(tables.next())) {
      return probe.survivors(context, table, skipping);
    }
  }

  /**
   * The batches of all rows of a unit or, when some cannot be had, of none.
   *
   * @param planned the unit
   * @param read what is decoded of it
   */
  private List<FileBatch> decoded(ScanUnit planned, ScanUnit read, ScanWork.Attempt attempt)
      throws IOException, InterruptedException {
    List<FileBatch> batches = new ArrayList<>();
    LiveRows live = LiveRows.of(read);
    boolean all = false;
    try {
      decode(read, attempt, live, batches);
      all = true;
    } finally {
      if (!all) {
        batches.forEach(it -> it.batch().close());
        output.drop();
      }
    }
    output.give(batches);
    output.done(planned);
    return batches;
  }

  private void decode(
      ScanUnit read, ScanWork.Attempt attempt, LiveRows live, List<FileBatch> batches)
      throws IOException, InterruptedException {
    long rows = 0;
    try (UnitTables tables = tables(read.unit(), attempt)) {
      for (Table next = tables.next(); next != null; next = tables.next()) {
        try (Table table = next) {
          batches.addAll(batches(read, table, live, rows));
          rows += table.getRowCount();
        }
      }
    }
  }

  private List<FileBatch> batches(ScanUnit unit, Table table, LiveRows live, long first) {
    return WideningCasts.use(
        table,
        unit.plan().columns().shapes(),
        wide -> live.use(DecodedUnit.of(unit, wide), first, output::ofDevice));
  }

  /** What makes the batches of a unit on the GPU. */
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
      made.addAll(work.run());
      gpu.health().succeeded();
      counters.add(Counter.GPU_FILES, unit.files().stream().filter(FileUnit::first).count());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("The task was interrupted while it waited for the GPU");
    } catch (TaskKilledException e) {
      throw e;
    } catch (IOException | RuntimeException | OutOfMemoryError | LinkageError e) {
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
      made.addAll(output.settle(atEnd));
    } catch (RuntimeException | OutOfMemoryError | LinkageError e) {
      failures.failedHeld(output.abandon(), e);
    }
  }

  /** Lets go what was read ahead, because Spark will read on this thread for a while. */
  public void pause() {
    if (pipeline != null) {
      gpu.makeCurrentForRelease();
      pipeline.pause();
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
    made.forEach(it -> it.batch().close());
    made.clear();
    queue.clear();
    closePipeline();
    files.forEach(IdleStreams::close);
    gpu.makeCurrentForRelease();
    output.abandon();
    output.close();
    gpu.close();
  }
}
