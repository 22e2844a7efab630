package io.mooring.parquet.upload;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The threads that fill host buffers from files and start their upload to one device. Pieces of
 * units that a task waits for come before what it reads ahead, and otherwise in the order they were
 * given: several threads fill one unit together, and every task's first unit comes before any
 * task's second. Thread-safe.
 */
public final class IoThreads {
  // Of host buffers in work, so that what is read is still in the cache when it is copied.
  private static final long BUFFER_BYTES_PER_THREAD = 6L << 20;
  private static final long LEAST_BUFFER_BYTES = 64L << 20;

  private final PieceQueue queue;
  private final AtomicLong given = new AtomicLong();
  private final long uploadStream;

  private IoThreads(int threads, long uploadStream, Runnable useDevice) {
    this.queue = new PieceQueue(Math.max(LEAST_BUFFER_BYTES, threads * BUFFER_BYTES_PER_THREAD));
    this.uploadStream = uploadStream;
    for (int i = 0; i < threads; i++) {
      IoLoop loop = new IoLoop(queue, piece -> piece.startCopy(useDevice));
      Thread thread = new Thread(loop, "mooring-io-" + i);
      thread.setDaemon(true);
      thread.start();
    }
  }

  /**
   * Starts {@code threads} daemon threads, which live as long as the process.
   *
   * @param uploadStream that all copies to the device go through, so that the copy engine need not
   *     change between streams
   * @param useDevice makes the device current for the thread that calls; called before each copy
   */
  public static IoThreads start(int threads, long uploadStream, Runnable useDevice) {
    return new IoThreads(threads, uploadStream, useDevice);
  }

  long uploadStream() {
    return uploadStream;
  }

  /**
   * Gives all pieces of a unit; no other's come between them.
   *
   * @param ahead units that the task uses before this one
   */
  void submit(List<UploadPiece> pieces, int ahead) {
    long first = given.getAndAdd(pieces.size());
    List<QueuedPiece> queued = new ArrayList<>();
    for (UploadPiece piece : pieces) {
      queued.add(new QueuedPiece(piece, ahead, first + queued.size()));
    }
    queue.submit(queued);
  }
}
