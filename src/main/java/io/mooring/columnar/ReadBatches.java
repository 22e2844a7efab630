package io.mooring.columnar;

import java.lang.ref.Cleaner;
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
 * batches stay until that one closes them, too, or until nobody can reach this object.
 *
 * @param <B> batch
 */
public final class ReadBatches<B> implements AutoCloseable {
  private static final Cleaner CLEANER = Cleaner.create();

  private final Held<B> held;
  private final @Nullable TaskContext task = TaskContext.get();
  private Cleaner.@Nullable Cleanable late;
  // Written by the thread that begins to read, and compared by it before each row.
  private volatile @Nullable Thread reader;
  private volatile boolean free;
  private boolean closed;

  /**
   * @param free frees a batch; does not refer to this object
   */
  public ReadBatches(Consumer<B> free) {
    this.held = new Held<>(free);
  }

  /**
   * Tells that the calling thread reads the batch; cheap where it is the last one that did so.
   *
   * @return false where the batches are free, or may be at any time
   */
  public boolean readHere() {
    return !free && (reader == Thread.currentThread() || begin());
  }

  private synchronized boolean begin() {
    if (!closed) {
      reader = Thread.currentThread();
    }
    return !closed;
  }

  /** Adds batches, which follow those that are there. */
  public void addAll(Collection<? extends B> batches) {
    held.waiting.addAll(batches);
  }

  /** Whether no batch follows. */
  public boolean isEmpty() {
    return held.waiting.isEmpty();
  }

  /** The next batch, valid until it is freed. There must be one. */
  public B next() {
    B batch = held.waiting.remove();
    held.current = batch;
    return batch;
  }

  /** Frees the batch that is read. */
  public void freeCurrent() {
    held.freeCurrent();
  }

  /** Frees all batches, or leaves them to the thread that reads. */
  @Override
  public synchronized void close() {
    closed = true;
    Thread told = RowReaders.of(task);
    Thread reading = told == null ? reader : told;
    if (reading == null || reading == Thread.currentThread() || !reading.isAlive()) {
      free = true;
      held.close();
    } else if (late == null) {
      late = CLEANER.register(this, held::close);
    }
  }

  /** What outlives the reader: it must not refer to it. */
  private static final class Held<B> {
    private final Consumer<B> free;
    private final Deque<B> waiting = new ArrayDeque<>();
    private @Nullable B current;

    Held(Consumer<B> free) {
      this.free = free;
    }

    void freeCurrent() {
      B batch = current;
      current = null;
      if (batch != null) {
        free.accept(batch);
      }
    }

    void close() {
      freeCurrent();
      waiting.forEach(free);
      waiting.clear();
    }
  }
}
