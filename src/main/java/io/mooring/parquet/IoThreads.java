package io.mooring.parquet;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * The threads of this process that fill host buffers from files and start their upload. Pieces are
 * taken in the order they were given, so that several threads fill one unit together and units come
 * in order. Thread-safe.
 */
public final class IoThreads {
  private final BlockingQueue<UploadPiece> queue = new LinkedBlockingQueue<>();

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

  void submit(UploadPiece piece) {
    queue.add(piece);
  }
}
