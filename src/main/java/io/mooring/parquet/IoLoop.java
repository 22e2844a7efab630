package io.mooring.parquet;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.BlockingQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What one I/O thread does: read a piece while the copies of the pieces before it are in flight.
 * With nothing left to read it waits for its copies, so that a unit is never held up.
 */
final class IoLoop implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(IoLoop.class);
  // One copy in flight, one waiting for the copy engine, one being read.
  private static final int COPIES_IN_FLIGHT = 2;

  private final BlockingQueue<QueuedPiece> queue;
  private final Runnable useDevice;
  private final Deque<UploadPiece> inFlight = new ArrayDeque<>();

  IoLoop(BlockingQueue<QueuedPiece> queue, Runnable useDevice) {
    this.queue = queue;
    this.useDevice = useDevice;
  }

  @Override
  public void run() {
    while (true) {
      try {
        step();
      } catch (InterruptedException e) {
        LOG.warn("An I/O thread was interrupted and goes on");
      } catch (RuntimeException | Error e) {
        // Tasks wait for what is in the queue: this thread must not end.
        LOG.error("An I/O thread met an error and goes on", e);
      }
    }
  }

  private void step() throws InterruptedException {
    QueuedPiece next = inFlight.isEmpty() ? queue.take() : queue.poll();
    if (next == null) {
      inFlight.remove().finish();
      return;
    }
    UploadPiece piece = next.piece();
    if (inFlight.size() == COPIES_IN_FLIGHT) {
      inFlight.remove().finish();
    }
    // A thread that waits for memory must not hold memory that others wait for.
    while (!piece.takeBuffer(inFlight.isEmpty())) {
      inFlight.remove().finish();
    }
    if (piece.start(useDevice)) {
      inFlight.add(piece);
    }
  }
}
