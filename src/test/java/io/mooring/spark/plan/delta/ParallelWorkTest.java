package io.mooring.spark.plan.delta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ParallelWorkTest {
  @Test
  void allIsDone_onThreadsThatInheritWhatTheCallerHas() {
    InheritableThreadLocal<String> inherited = new InheritableThreadLocal<>();
    inherited.set("the caller's");
    CountDownLatch together = new CountDownLatch(3);
    Set<String> values = ConcurrentHashMap.newKeySet();
    Set<Thread> threads = ConcurrentHashMap.newKeySet();
    Runnable each =
        () -> {
          values.add(inherited.get());
          threads.add(Thread.currentThread());
          together.countDown();
          awaitUninterruptibly(together);
        };
    ParallelWork.run(Collections.nCopies(3, each));
    assertThat(values).containsExactly("the caller's");
    assertThat(threads).hasSize(3).contains(Thread.currentThread());
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aFailure_endsTheRestAndIsThrown() {
    AtomicInteger done = new AtomicInteger();
    Runnable fails =
        () -> {
          throw new IllegalStateException("no such table");
        };
    List<Runnable> work =
        Stream.concat(
                Collections.nCopies(8, fails).stream(),
                Stream.generate(() -> (Runnable) done::incrementAndGet).limit(100))
            .toList();
    assertThatThrownBy(() -> ParallelWork.run(work)).hasMessage("no such table");
    assertThat(done.get()).isLessThan(100);
  }

  @Test
  void anInterrupt_reachesTheWorkAndStays() throws Exception {
    CountDownLatch started = new CountDownLatch(2);
    AtomicInteger interrupted = new AtomicInteger();
    AtomicBoolean stays = new AtomicBoolean();
    Runnable waits =
        () -> {
          started.countDown();
          try {
            new CountDownLatch(1).await();
          } catch (InterruptedException e) {
            interrupted.incrementAndGet();
            Thread.currentThread().interrupt();
          }
        };
    Thread caller =
        new Thread(
            () -> {
              assertThatThrownBy(() -> ParallelWork.run(List.of(waits, waits)))
                  .isInstanceOf(CancellationException.class);
              stays.set(Thread.currentThread().isInterrupted());
            });
    caller.start();
    started.await();
    caller.interrupt();
    caller.join(10_000);
    assertThat(interrupted).hasValue(2);
    assertThat(stays).isTrue();
  }

  @Test
  void nothingToDo_startsNoThread() {
    int before = Thread.activeCount();
    ParallelWork.run(List.of());
    assertThat(Thread.activeCount()).isEqualTo(before);
  }
}
