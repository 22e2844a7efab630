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
  private final List<Share> shares = new ArrayList<>();
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

  /** Opens the reader of some partitions, or gives null where there is no GPU. */
  interface Opening extends Function<List<InputPartition>, @Nullable DeviceStageReader> {}

  /** The part of one thread. */
  private static final class Share {
    private final List<InputPartition> inputs = new ArrayList<>();
    private volatile @Nullable DeviceStageReader reader;

    /** Plans what to read and decodes it. */
    void decode(Opening opening) {
      DeviceStageReader opened = opening.apply(inputs);
      reader = opened;
      if (opened != null) {
        opened.decode();
      }
    }
  }

  /**
   * @param threads the most that decode at a time
   */
  ParallelStageReader(List<InputPartition> inputs, int threads) {
    int count = Math.max(1, Math.min(threads, inputs.size()));
    for (int i = 0; i < count; i++) {
      shares.add(new Share());
    }
    for (int i = 0; i < inputs.size(); i++) {
      shares.get(i % count).inputs.add(inputs.get(i));
    }
  }

  /**
   * Reads all rows, in any order. To be called once; the caller closes the batches.
   *
   * @return null where there is no GPU
   */
  @Nullable List<DeviceBatch> rows(Opening opening) {
    decode(opening);
    if (shares.stream().anyMatch(share -> share.reader == null)) {
      return null;
    }
    List<DeviceBatch> all = new ArrayList<>();
    boolean done = false;
    try {
      forEach(reader -> all.addAll(reader.take()));
      done = true;
      return all;
    } finally {
      if (!done) {
        all.forEach(DeviceBatch::close);
      }
    }
  }

  private void decode(Opening opening) {
    TaskContext task = TaskContext.get();
    List<Thread> others = new ArrayList<>();
    for (Share share : shares.subList(1, shares.size())) {
      Thread other =
          new Thread(() -> decode(share, opening, task), "mooring-decode-" + others.size());
      other.setDaemon(true);
      other.start();
      others.add(other);
    }
    decode(shares.get(0), opening, null);
    awaitAll(others);
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
  private void decode(Share share, Opening opening, @Nullable TaskContext task) {
    if (task != null) {
      TaskContext$.MODULE$.setTaskContext(task);
    }
    try {
      share.decode(opening);
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

  /** Gives the reader of each share to a consumer, once all were read. */
  void forEach(Consumer<DeviceStageReader> use) {
    for (Share share : shares) {
      DeviceStageReader reader = share.reader;
      if (reader != null) {
        use.accept(reader);
      }
    }
  }

  @Override
  public void close() {
    forEach(DeviceStageReader::close);
  }
}
