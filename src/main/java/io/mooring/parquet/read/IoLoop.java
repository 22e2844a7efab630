package io.mooring.parquet.read;

import io.mooring.parquet.read.PieceQueue.Work;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What one I/O thread does: read slices while the copies of the pieces before them are in flight.
 * With nothing to read it waits for a copy, so that a unit is never held up.
 */
final class IoLoop implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(IoLoop.class);

  private final PieceQueue queue;
  private final Predicate<UploadPiece> startCopy;

  /**
   * @param startCopy starts the copy of a piece that has been read; false when the piece is done
   *     with
   */
  IoLoop(PieceQueue queue, Predicate<UploadPiece> startCopy) {
    this.queue = queue;
    this.startCopy = startCopy;
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
    finishWhatIsCopied();
    Work work = queue.next();
    if (work instanceof Work.Read read) {
      read(read.slice());
    } else if (work instanceof Work.Open open) {
      open(open.piece());
    } else if (work instanceof Work.Finish finish) {
      finish(finish.piece());
    }
  }

  private void finishWhatIsCopied() {
    UploadPiece oldest = queue.takeOldestCopy();
    if (oldest == null) {
      return;
    }
    // Asked without the queue's lock: the driver may take its time.
    if (oldest.isCopied()) {
      finish(oldest);
    } else {
      queue.notCopied(oldest);
    }
  }

  private void read(PieceSlice slice) {
    UploadPiece piece = slice.piece();
    if (piece.read(slice)) {
      copy(piece);
    }
  }

  private void copy(UploadPiece piece) {
    boolean started = false;
    try {
      started = startCopy.test(piece);
    } finally {
      if (started) {
        queue.copying(piece);
      } else {
        queue.closed(piece);
      }
    }
  }

  private void open(UploadPiece piece) {
    // A thread that waits for memory must not leave memory behind that only it would free.
    while (!piece.takeBuffer(false)) {
      UploadPiece oldest = queue.takeOldestCopy();
      if (oldest == null) {
        piece.takeBuffer(true);
        break;
      }
      finish(oldest);
    }
    queue.opened(piece);
  }

  private void finish(UploadPiece piece) {
    try {
      piece.finish();
    } catch (RuntimeException | Error e) {
      // Its unit has been told: what this thread has in hand must go on.
      LOG.error("An I/O thread could not give everything back", e);
    } finally {
      queue.closed(piece);
    }
  }
}
