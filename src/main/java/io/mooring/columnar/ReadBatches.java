package io.mooring.columnar;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.function.Consumer;
import org.apache.spark.TaskContext;
import org.jspecify.annotations.Nullable;

/**
 * The batches of one reader: the one that is read, and those that follow. Spark closes readers when
 * their task ends, and does not wait for threads of its own that still read rows, such as those
 * that feed a Python worker or a command. So any thread may close; where another one reads, the
 * batches stay until that one closes them, too, or until nobody can reach them.
 *
 * @param <B> batch
 */
public final class ReadBatches<B> implements AutoCloseable {
  private final Consumer<B> free;
  private final Consumer<B> freeLater;
  private final @Nullable TaskContext task = TaskContext.get();
  private final Deque<B> waiting = new ArrayDeque<>();
  private @Nullable B current;
  // Written by the thread that begins to read, and compared by it before each row.
  private volatile @Nullable Thread reader;
  private volatile boolean areFree;
  private boolean closed;

  /**
   * @param free frees a batch, at most once
   * @param freeLater has a batch freed once nobody can reach its columns
   */
  public ReadBatches(Consumer<B> free, Consumer<B> freeLater) {
    this.free = free;
    this.freeLater = freeLater;
  }

  /**
   * Tells that the calling thread reads the batch; cheap where it is the last one that did so.
   *
   * @return false where the batches are free, or may be at any time
   */
  public boolean readHere() {
    return !areFree && (reader == Thread.currentThread() || begin());
  }

  private synchronized boolean begin() {
    if (!closed) {
      reader = Thread.currentThread();
    }
    return !closed;
  }

  /** Adds batches, which follow those that are there. */
  public synchronized void addAll(Collection<? extends B> batches) {
    waiting.addAll(batches);
  }

  /** Whether no batch follows. */
  public synchronized boolean isEmpty() {
    return waiting.isEmpty();
  }

  /** The next batch, valid until it is freed. There must be one. */
  public synchronized B next() {
    B batch = waiting.remove();
    current = batch;
    return batch;
  }

  /** Frees the batch that is read. */
  public synchronized void freeCurrent() {
    B batch = current;
    current = null;
    if (batch != null) {
      free.accept(batch);
    }
  }

  /** Frees all batches, or leaves them to the thread that reads. */
  @Override
  public synchronized void close() {
    boolean first = !closed;
    closed = true;
    Thread told = RowReaders.of(task);
    Thread reading = told == null ? reader : told;
    if (reading == null || reading == Thread.currentThread() || !reading.isAlive()) {
      areFree = true;
      freeCurrent();
      waiting.forEach(free);
      waiting.clear();
    } else if (first) {
      waiting.forEach(freeLater);
      if (current != null) {
        freeLater.accept(current);
      }
    }
  }
}
