package io.mooring.stage;

import io.mooring.expr.device.DeviceBatch;
import io.mooring.stage.task.DeviceStageReader;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.spark.TaskContext;
import org.apache.spark.TaskContext$;
import org.apache.spark.sql.connector.read.InputPartition;
import org.jspecify.annotations.Nullable;

/**
 * Reads what a stage makes of several partitions to the device, with several threads. Belongs to
 * the thread of its task.
 */
final class ParallelStageReader implements AutoCloseable {
  private final List<DeviceStageReader> shares = new ArrayList<>();
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

  /**
   * Opens the readers.
   *
   * @param threads the most that decode at a time
   * @param open opens the reader of some partitions, or gives null where there is no GPU
   * @return null where there is no GPU
   */
  static @Nullable ParallelStageReader open(
      List<InputPartition> inputs,
      int threads,
      Function<List<InputPartition>, @Nullable DeviceStageReader> open) {
    ParallelStageReader reader = new ParallelStageReader();
    boolean all = false;
    try {
      for (List<InputPartition> share : shares(inputs, threads)) {
        DeviceStageReader rows = open.apply(share);
        if (rows == null) {
          return null;
        }
        reader.shares.add(rows);
      }
      all = true;
      return reader;
    } finally {
      if (!all) {
        reader.close();
      }
    }
  }

  private static List<List<InputPartition>> shares(List<InputPartition> inputs, int threads) {
    int count = Math.max(1, Math.min(threads, inputs.size()));
    List<List<InputPartition>> shares = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      shares.add(new ArrayList<>());
    }
    for (int i = 0; i < inputs.size(); i++) {
      shares.get(i % count).add(inputs.get(i));
    }
    return shares;
  }

  /** Reads all rows, in any order. To be called once; the caller closes the batches. */
  List<DeviceBatch> rows() {
    decode();
    List<DeviceBatch> all = new ArrayList<>();
    boolean done = false;
    try {
      shares.forEach(share -> all.addAll(share.take()));
      done = true;
      return all;
    } finally {
      if (!done) {
        all.forEach(DeviceBatch::close);
      }
    }
  }

  private void decode() {
    TaskContext task = TaskContext.get();
    List<Thread> others = new ArrayList<>();
    for (DeviceStageReader share : shares.subList(1, shares.size())) {
      Thread other = new Thread(() -> decode(share, task), "mooring-decode-" + others.size());
      other.setDaemon(true);
      other.start();
      others.add(other);
    }
    decode(shares.get(0), null);
    awaitAll(others);
    Throwable thrown = failure.get();
    if (thrown != null) {
      throw new IllegalStateException("The files of a stage could not be read", thrown);
    }
  }

  /**
   * @param task for which the thread works; null on the task's own thread
   */
  private void decode(DeviceStageReader share, @Nullable TaskContext task) {
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
  private void awaitAll(List<Thread> others) {
    boolean interrupted = false;
    for (Thread other : others) {
      while (other.isAlive()) {
        if (failure.get() != null || interrupted) {
          others.forEach(Thread::interrupt);
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

  /** Gives each share to a consumer, once all were read. */
  void forEach(Consumer<DeviceStageReader> use) {
    shares.forEach(use);
  }

  @Override
  public void close() {
    shares.forEach(DeviceStageReader::close);
  }
}
