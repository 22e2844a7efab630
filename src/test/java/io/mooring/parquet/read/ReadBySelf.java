package io.mooring.parquet.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.parquet.read.PieceQueue.Work;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Does the work of a queue step by step, without copies. When closed it finishes the opened pieces,
 * so that their buffers go back.
 */
final class ReadBySelf implements AutoCloseable {
  private final PieceQueue queue;
  private final Deque<UploadPiece> open = new ArrayDeque<>();

  ReadBySelf(PieceQueue queue, List<UploadPiece> pieces) {
    this.queue = queue;
    List<PieceQueue.Waiting> queued = new ArrayList<>();
    pieces.forEach(piece -> queued.add(new PieceQueue.Waiting(piece, 0, queued.size())));
    queue.submit(queued);
  }

  /** Opens the next piece, which has to be what is to be done. */
  UploadPiece open() throws InterruptedException {
    Work work = queue.next();
    assertThat(work).isInstanceOf(Work.Open.class);
    UploadPiece piece = ((Work.Open) work).piece();
    assertThat(piece.takeBuffer(true)).isTrue();
    open.add(piece);
    queue.opened(piece);
    return piece;
  }

  /** Reads all of a piece, whose slices have to be what is to be done. */
  void read(UploadPiece piece) throws InterruptedException {
    for (int i = 0; i < piece.slices().size(); i++) {
      UploadPiece.Slice slice = piece.slices().get(i);
      assertThat(queue.next()).isEqualTo(new Work.Read(slice));
      assertThat(piece.read(slice)).isEqualTo(i == piece.slices().size() - 1);
    }
    queue.copying(piece);
  }

  void finish(UploadPiece piece) {
    open.remove(piece);
    piece.finish();
    queue.closed(piece);
  }

  @Override
  public void close() {
    open.forEach(UploadPiece::finish);
  }
}
