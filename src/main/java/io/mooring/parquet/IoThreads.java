package io.mooring.parquet;

import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The threads of this process that fill host buffers from files and start their upload. Pieces of
 * units that a task waits for come before what it reads ahead, and otherwise in the order they were
 * given: several threads fill one unit together, and every task's first unit comes before any
 * task's second. Thread-safe.
 */
public final class IoThreads {
  private final PriorityBlockingQueue<QueuedPiece> queue = new PriorityBlockingQueue<>();
  private final AtomicLong given = new AtomicLong();

  private IoThreads(int threads, Runnable onStart) {
    for (int i = 0; i < threads; i++) {
      Thread thread = new Thread(new IoLoop(queue, onStart), "mooring-io-" + i);
      thread.setDaemon(true);
      thread.start();
    }
  }

  /**
   * Starts {@code threads} daemon threads, which live as long as the process.
   *
   * @param onStart run first on each thread: sets its device
   */
  public static IoThreads start(int threads, Runnable onStart) {
    return new IoThreads(threads, onStart);
  }

  /**
   * @param ahead units that the task uses before this one
   */
  void submit(UploadPiece piece, int ahead) {
    queue.add(new QueuedPiece(piece, ahead, given.getAndIncrement()));
  }
}
