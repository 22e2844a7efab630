package io.mooring.scan.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Who releases what a closed piece of work has. */
class WorkStateTest {
  private static final int ROUNDS = 5000;

  private final WorkState state = new WorkState();

  @Test
  void betweenSteps_whoeverClosesReleases() {
    assertThat(state.begin()).isTrue();
    assertThat(state.end()).isFalse();
    assertThat(state.close()).isTrue();
    assertThat(state.close()).isFalse();
    assertThat(state.begin()).isFalse();
  }

  @Test
  void atAStep_theThreadThatIsAtItReleases() {
    assertThat(state.begin()).isTrue();
    state.requireOpen();
    assertThat(state.close()).isFalse();
    assertThatThrownBy(state::requireOpen).hasMessageContaining("The task has ended");
    assertThat(state.end()).isTrue();
    assertThat(state.close()).isFalse();
    assertThat(state.begin()).isFalse();
  }

  @Test
  void ofThreadsThatWorkAndClose_exactlyOneReleases() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try {
      for (int i = 0; i < ROUNDS; i++) {
        WorkState shared = new WorkState();
        AtomicInteger released = new AtomicInteger();
        CyclicBarrier start = new CyclicBarrier(2);
        Future<?> worker =
            threads.submit(
                () -> {
                  start.await();
                  while (shared.begin()) {
                    if (shared.end()) {
                      released.incrementAndGet();
                    }
                  }
                  return null;
                });
        threads
            .submit(
                () -> {
                  start.await();
                  if (shared.close()) {
                    released.incrementAndGet();
                  }
                  return null;
                })
            .get(60, TimeUnit.SECONDS);
        worker.get(60, TimeUnit.SECONDS);
        assertThat(released).hasValue(1);
      }
    } finally {
      threads.shutdownNow();
    }
  }
}
