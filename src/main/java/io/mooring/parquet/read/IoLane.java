package io.mooring.parquet.read;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;

/** Some I/O threads and the queue that they work off. Thread-safe. */
final class IoLane {
  private final PieceQueue queue;
  private final AtomicLong given = new AtomicLong();

  /**
   * Starts {@code threads} daemon threads, which live as long as the process.
   *
   * @param name of the threads, before their number
   * @param bufferBytes of host buffers in work at a time
   * @param startCopy starts the copy of a piece that has been read
   */
  IoLane(String name, int threads, long bufferBytes, Predicate<UploadPiece> startCopy) {
    this.queue = new PieceQueue(bufferBytes);
    for (int i = 0; i < threads; i++) {
      Thread thread = new Thread(new IoLoop(queue, startCopy), name + i);
      thread.setDaemon(true);
      thread.start();
    }
  }

  /** Gives pieces of a unit; no other's come between them. */
  void submit(List<UploadPiece> pieces, int ahead) {
    long first = given.getAndAdd(pieces.size());
    List<QueuedPiece> queued = new ArrayList<>();
    for (UploadPiece piece : pieces) {
      queued.add(new QueuedPiece(piece, ahead, first + queued.size()));
    }
    queue.submit(queued);
  }
}
