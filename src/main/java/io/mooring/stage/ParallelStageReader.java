package io.mooring.stage;

import io.mooring.expr.device.DeviceBatch;
import io.mooring.gpu.RefusedException;
import io.mooring.scan.split.FileSplit;
import io.mooring.scan.split.ScanPartition;
import io.mooring.stage.task.DeviceStageReader;
import io.mooring.stage.task.StageOperators;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.spark.TaskContext;
import org.apache.spark.TaskContext$;
import org.apache.spark.sql.connector.read.InputPartition;
import org.jspecify.annotations.Nullable;

/**
 * Reads what one or more stages make of several partitions to the device, with several threads.
 * Belongs to the thread of its task.
 */
final class ParallelStageReader implements AutoCloseable {
  private final List<Source> sources;
  private final List<Share> shares = new ArrayList<>();
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

  /** The partitions of a stage. */
  interface Source {
    /** What is to be read. */
    List<InputPartition> inputs();

    /**
     * The stage's operators with all build sides on the device, where that is possible; the caller
     * closes them.
     *
     * @throws io.mooring.gpu.RefusedException when there is no room for one now
     */
    StageOperators prepared();

    /** Opens the reader of some of them, or gives null where there is no GPU. */
    @Nullable DeviceStageReader open(List<InputPartition> inputs);

    /** Takes the metrics of a reader, which reads no more. */
    void ended(DeviceStageReader reader);
  }

  /** The part of one thread: some partitions of each stage, one stage after the other. */
  private final class Share {
    private final List<List<InputPartition>> inputs =
        sources.stream().<List<InputPartition>>map(any -> new ArrayList<>()).toList();
    private final List<OpenReader> readers = new ArrayList<>();
    private boolean complete = true;

    /** Plans what to read and decodes it. */
    void decode() {
      boolean useful = true;
      for (int i = 0; i < sources.size() && useful && failure.get() == null; i++) {
        useful = inputs.get(i).isEmpty() || decode(i);
      }
    }

    /** Reads the partitions of one stage; false where it is useless to read those of others. */
    private boolean decode(int stage) {
      Source source = sources.get(stage);
      DeviceStageReader reader = source.open(inputs.get(stage));
      if (reader == null) {
        complete = false;
        return false;
      }
      readers.add(new OpenReader(stage, reader));
      reader.decode();
      return !reader.isRefused();
    }
  }

  /** A reader and the ordinal of the stage whose partitions it reads. */
  private record OpenReader(int stage, DeviceStageReader reader) {}

  /**
   * What a GPU has made of several partitions.
   *
   * @param rows on the device, which the caller closes
   * @param left what it could not read or compute, by stage
   * @param count adds the metrics, once the rows are used; on the thread of the task
   */
  record GpuRows(List<DeviceBatch> rows, List<List<InputPartition>> left, Runnable count) {}

  private ParallelStageReader(List<Source> sources, int threads) {
    this.sources = List.copyOf(sources);
    int all = sources.stream().mapToInt(source -> source.inputs().size()).sum();
    int count = Math.max(1, Math.min(threads, all));
    for (int i = 0; i < count; i++) {
      shares.add(new Share());
    }
    int next = 0;
    for (int i = 0; i < sources.size(); i++) {
      for (InputPartition input : sources.get(i).inputs()) {
        shares.get(next++ % count).inputs.get(i).add(input);
      }
    }
  }

  /**
   * Reads all rows of some stages, in any order. The caller closes the batches.
   *
   * @param prepared the stages, whose build sides are closed as soon as they are not needed any
   *     more
   * @param threads the most that decode at a time
   * @return null where there is no GPU
   */
  static @Nullable List<DeviceBatch> read(PreparedSources prepared, int threads) {
    return read(
        prepared,
        threads,
        reader -> {
          try {
            return reader.rows();
          } finally {
            reader.count();
          }
        });
  }

  /**
   * Reads what the GPU can read and compute, as {@link #read} does, and leaves the rest to the
   * caller. Runs on any thread for which the task's context is set.
   */
  static @Nullable GpuRows readByGpu(PreparedSources prepared, int threads) {
    return read(prepared, threads, ParallelStageReader::rowsOfGpu);
  }

  private static <T> @Nullable T read(
      PreparedSources prepared, int threads, Function<ParallelStageReader, @Nullable T> results) {
    try (ParallelStageReader reader = new ParallelStageReader(prepared.all(), threads)) {
      try {
        reader.decode();
        // Frees their room before Spark, which reads the rest, may make build sides.
        prepared.close();
        return results.apply(reader);
      } catch (RefusedException e) {
        throw prepared.beside(e);
      }
    }
  }

  private @Nullable List<DeviceBatch> rows() {
    if (!shares.stream().allMatch(share -> share.complete)) {
      return null;
    }
    List<DeviceBatch> all = new ArrayList<>();
    boolean done = false;
    try {
      readers().forEach(it -> all.addAll(it.reader().take()));
      done = true;
      return all;
    } finally {
      if (!done) {
        all.forEach(DeviceBatch::close);
      }
    }
  }

  /** Adds the metrics of all readers. */
  private void count() {
    readers().forEach(it -> sources.get(it.stage()).ended(it.reader()));
  }

  private @Nullable GpuRows rowsOfGpu() {
    List<List<FileSplit>> left =
        sources.stream().<List<FileSplit>>map(any -> new ArrayList<>()).toList();
    readers().forEach(it -> left.get(it.stage()).addAll(it.reader().leave()));
    List<DeviceBatch> rows = rows();
    return rows == null
        ? null
        : new GpuRows(
            rows, left.stream().map(ParallelStageReader::partitions).toList(), this::count);
  }

  private static List<InputPartition> partitions(List<FileSplit> splits) {
    return splits.stream().<InputPartition>map(split -> new ScanPartition(List.of(split))).toList();
  }

  private void decode() {
    TaskContext task = TaskContext.get();
    List<DecodeThread> others = new ArrayList<>(shares.size());
    try {
      for (Share share : shares.subList(1, shares.size())) {
        others.add(DecodeThread.start(() -> decode(share, task)));
      }
      decode(shares.get(0), null);
    } catch (Throwable e) {
      // No further thread could be started.
      failure.compareAndSet(null, e);
    } finally {
      awaitAll(others);
    }
    Throwable thrown = failure.get();
    if (thrown instanceof RuntimeException known) {
      throw known;
    } else if (thrown != null) {
      throw new IllegalStateException("The files of a stage could not be read", thrown);
    }
  }

  /**
   * @param task for which the thread works; null on the task's own thread
   */
  private void decode(Share share, @Nullable TaskContext task) {
    if (task != null) {
      TaskContext$.MODULE$.setTaskContext(task);
    }
    try {
      share.decode();
    } catch (Throwable e) {
      // Scala code throws checked exceptions, too, and a share that failed must not count as
      // complete.
      failure.compareAndSet(null, e);
    } finally {
      if (task != null) {
        TaskContext$.MODULE$.unset();
      }
    }
  }

  /** Waits until all threads have ended, and interrupts them after a failure. */
  private void awaitAll(List<DecodeThread> others) {
    boolean interrupted = false;
    for (DecodeThread other : others) {
      while (!other.hasEnded()) {
        if (failure.get() != null || interrupted) {
          others.forEach(DecodeThread::interrupt);
        }
        try {
          other.join();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    }
    if (interrupted) {
      failure.compareAndSet(null, new InterruptedException("the task was killed"));
      Thread.currentThread().interrupt();
    }
  }

  /** The readers of all threads, once these have ended. */
  private Stream<OpenReader> readers() {
    return shares.stream().flatMap(share -> share.readers.stream());
  }

  @Override
  public void close() {
    readers().forEach(it -> it.reader().close());
  }
}
