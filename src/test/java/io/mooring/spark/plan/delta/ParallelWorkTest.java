package io.mooring.spark.plan.delta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ParallelWorkTest {
  @Test
  void allIsDone_onThreadsThatInheritWhatTheCallerHas() throws Exception {
    InheritableThreadLocal<String> inherited = new InheritableThreadLocal<>();
    inherited.set("the caller's");
    CountDownLatch together = new CountDownLatch(3);
    Set<String> values = ConcurrentHashMap.newKeySet();
    Set<Thread> threads = ConcurrentHashMap.newKeySet();
    Callable<Void> each =
        () -> {
          values.add(inherited.get());
          threads.add(Thread.currentThread());
          together.countDown();
          together.await();
          return null;
        };
    ParallelWork.run(Collections.nCopies(3, each));
    assertThat(values).containsExactly("the caller's");
    assertThat(threads).hasSize(3).doesNotContain(Thread.currentThread());
  }

  @Test
  void aFailure_endsTheOthersAndIsThrownAsItIs() {
    AtomicInteger done = new AtomicInteger();
    CountDownLatch waiting = new CountDownLatch(1);
    Callable<Object> waits =
        () -> {
          waiting.countDown();
          new CountDownLatch(1).await();
          return done;
        };
    Callable<Object> fails =
        () -> {
          waiting.await();
          throw new IOException("cancelled");
        };
    List<Callable<Object>> work =
        Stream.concat(
                Stream.of(fails, waits),
                Stream.<Callable<Object>>generate(() -> done::incrementAndGet).limit(100))
            .toList();
    for (List<Callable<Object>> both : List.of(List.of(fails, waits), List.of(waits, fails))) {
      assertThatThrownBy(() -> ParallelWork.run(both))
          .isInstanceOf(IOException.class)
          .hasMessage("cancelled");
    }
    assertThatThrownBy(() -> ParallelWork.run(work)).isInstanceOf(IOException.class);
    Error error = new OutOfMemoryError("no heap");
    Callable<Object> ends =
        () -> {
          throw error;
        };
    assertThatThrownBy(() -> ParallelWork.run(List.of(ends))).isSameAs(error);
  }

  @Test
  void anInterrupt_reachesAllAndIsThrown() throws Exception {
    CountDownLatch started = new CountDownLatch(3);
    AtomicInteger interrupted = new AtomicInteger();
    Callable<Void> waits =
        () -> {
          started.countDown();
          try {
            new CountDownLatch(1).await();
          } catch (InterruptedException e) {
            interrupted.incrementAndGet();
            throw e;
          }
          return null;
        };
    Thread caller =
        new Thread(
            () ->
                assertThatThrownBy(() -> ParallelWork.run(Collections.nCopies(3, waits)))
                    .isInstanceOf(InterruptedException.class));
    caller.start();
    started.await();
    caller.interrupt();
    caller.join(10_000);
    assertThat(caller.isAlive()).isFalse();
    assertThat(interrupted).hasValue(3);
  }

  @Test
  void nothingToDo_isDone() throws Exception {
    ParallelWork.run(List.of());
    assertThat(Thread.interrupted()).isFalse();
  }
}
