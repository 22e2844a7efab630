package io.mooring.stage;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class DecodeThreadTest {
  @Test
  void work_runsBesideTheCallerAndEnds() throws Exception {
    CountDownLatch go = new CountDownLatch(1);
    DecodeThread thread = DecodeThread.start(() -> awaitInterrupt(go));
    assertThat(thread.hasEnded()).isFalse();
    go.countDown();
    thread.join();
    assertThat(thread.hasEnded()).isTrue();
  }

  /** Whether an interrupt came first. */
  private static boolean awaitInterrupt(CountDownLatch latch) {
    try {
      latch.await();
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return true;
    }
  }

  private static int interrupts() {
    return Thread.currentThread().isInterrupted() ? 1 : 0;
  }

  @Test
  void interrupts_reachTheWorkAndNoOtherAfterIt() throws Exception {
    AtomicInteger interrupted = new AtomicInteger();
    AtomicInteger strays = new AtomicInteger();
    Set<Thread> threads = ConcurrentHashMap.newKeySet();
    for (int round = 0; round < 200; round++) {
      List<DecodeThread> all = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        all.add(
            DecodeThread.start(
                () -> {
                  threads.add(Thread.currentThread());
                  if (awaitInterrupt(new CountDownLatch(1))) {
                    interrupted.incrementAndGet();
                  }
                }));
      }
      all.forEach(DecodeThread::interrupt);
      for (DecodeThread each : all) {
        each.join();
        each.interrupt();
      }
      DecodeThread next = DecodeThread.start(() -> strays.addAndGet(interrupts()));
      next.join();
    }
    assertThat(strays).hasValue(0);
    assertThat(interrupted).hasValue(800);
    // Most tasks find a thread of an earlier one.
    assertThat(threads.size()).isLessThan(400);
  }
}
