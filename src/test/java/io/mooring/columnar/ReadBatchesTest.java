package io.mooring.columnar;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

/** Who frees the batches of a reader that another thread closes. */
class ReadBatchesTest {
  private final List<String> freed = new CopyOnWriteArrayList<>();
  private final List<String> later = new CopyOnWriteArrayList<>();
  private final ReadBatches<String> batches = new ReadBatches<>(freed::add, later::add);

  ReadBatchesTest() {
    batches.addAll(List.of("a", "b", "c"));
  }

  private void read() {
    assertThat(batches.readHere()).isTrue();
    batches.freeCurrent();
    assertThat(batches.next()).isNotNull();
  }

  private static void run(Runnable work) throws Exception {
    Thread thread = new Thread(work);
    thread.start();
    thread.join();
  }

  @Test
  void theReaderThatCloses_freesAtOnce() {
    read();
    read();
    assertThat(freed).containsExactly("a");
    batches.close();
    assertThat(freed).containsExactly("a", "b", "c");
    assertThat(batches.readHere()).isFalse();
    batches.close();
    assertThat(freed).hasSize(3);
  }

  @Test
  void anUnreadOne_isFreedByWhoeverCloses() throws Exception {
    run(batches::close);
    assertThat(freed).containsExactly("a", "b", "c");
  }

  @Test
  void aThreadThatReads_keepsItsBatchUntilItComesBack() throws Exception {
    ExecutorService other = Executors.newSingleThreadExecutor();
    try {
      other.submit(this::read).get();
      batches.close();
      assertThat(freed).isEmpty();
      assertThat(later).containsExactly("b", "c", "a");
      assertThat(batches.readHere()).as("for a thread that has not read before").isFalse();
      assertThat(other.submit(batches::readHere).get()).isTrue();
      other.submit(batches::close).get();
      assertThat(freed).containsExactly("a", "b", "c");
      assertThat(other.submit(batches::readHere).get()).isFalse();
    } finally {
      other.shutdown();
    }
  }

  @Test
  void theLastThreadThatReads_keepsTheBatch() throws Exception {
    CountDownLatch over = new CountDownLatch(1);
    CountDownLatch reading = new CountDownLatch(1);
    read();
    Thread second =
        new Thread(
            () -> {
              batches.readHere();
              reading.countDown();
              awaitUninterruptibly(over);
            });
    second.start();
    reading.await();
    batches.close();
    assertThat(freed).isEmpty();
    over.countDown();
    second.join();
    batches.close();
    assertThat(freed).containsExactly("a", "b", "c");
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aThreadThatHasEnded_keepsNothing() throws Exception {
    run(this::read);
    batches.close();
    assertThat(freed).containsExactly("a", "b", "c");
  }
}
