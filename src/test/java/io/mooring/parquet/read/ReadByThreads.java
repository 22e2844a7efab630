package io.mooring.parquet.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mooring.parquet.read.PieceQueue.Work;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** Threads that do the work of a queue as I/O threads do, but copy nothing. */
final class ReadByThreads implements AutoCloseable {
  private final PieceQueue queue;
  private final List<Thread> threads = new ArrayList<>();
  private final AtomicLong openBytes = new AtomicLong();
  private final AtomicLong mostOpenBytes = new AtomicLong();
  private final AtomicLong given = new AtomicLong();

  ReadByThreads(int count, long mostBytes) {
    queue = new PieceQueue(mostBytes);
    for (int i = 0; i < count; i++) {
      Thread thread = new Thread(this::work);
      thread.setDaemon(true);
      thread.start();
      threads.add(thread);
    }
  }

  void submit(List<UploadPiece> pieces) {
    queue.submit(
        pieces.stream()
            .map(piece -> new PieceQueue.Waiting(piece, 0, given.getAndIncrement()))
            .toList());
  }

  private void work() {
    try {
      while (true) {
        doNext();
      }
    } catch (InterruptedException e) {
      // The test is over.
    }
  }

  private void doNext() throws InterruptedException {
    Work next = queue.next();
    if (next instanceof Work.Open open) {
      long now = openBytes.addAndGet(open.piece().bytes());
      mostOpenBytes.accumulateAndGet(now, Math::max);
      open.piece().takeBuffer(true);
      queue.opened(open.piece());
    } else if (next instanceof Work.Read read) {
      if (read.slice().piece().read(read.slice())) {
        queue.copying(read.slice().piece());
      }
    } else if (next instanceof Work.Finish finish) {
      finish.piece().finish();
      openBytes.addAndGet(-finish.piece().bytes());
      queue.closed(finish.piece());
    }
  }

  /** Most bytes that pieces had at a time. */
  long mostOpenBytes() {
    return mostOpenBytes.get();
  }

  /** A piece is closed a little after its upload knows that it is done. */
  void assertNothingOpen() {
    await().untilAsserted(() -> assertThat(openBytes).hasValue(0));
    assertThat(queue.takeOldestCopy()).isNull();
  }

  /** Ends when no thread has a buffer of the pool, which other tests find empty then. */
  @Override
  public void close() throws InterruptedException {
    await().untilAsserted(() -> assertThat(openBytes).hasValue(0));
    threads.forEach(Thread::interrupt);
    for (Thread thread : threads) {
      thread.join();
    }
  }
}
