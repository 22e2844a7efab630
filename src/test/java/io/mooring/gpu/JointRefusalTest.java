package io.mooring.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Objects that find no room beside others: which tasks learn of it, and when. */
class JointRefusalTest extends JointTasks {
  @Test
  void moreThanFitsTogether_isRefusedAtOnce() {
    long start = System.nanoTime();
    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(() -> acquire(two("a", 20, "b", 31), 30_000))
          .isInstanceOf(RefusedException.class)
          .hasMessageContaining("no room");
    }
    assertThat(System.nanoTime() - start).isLessThan(5_000_000_000L);
    assertThat(made("a")).isEqualTo(1);
  }

  @Test
  void anObjectThatCanNeverFit_isRefusedToAll() {
    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(() -> acquire(two("a", 20, "b", 51), 30_000))
          .isInstanceOf(RefusedException.class);
    }
    assertThat(made("b")).isEqualTo(1);
  }

  @Test
  void roomThatStaysTaken_isRefusedToTheOthersToo() throws Exception {
    others.take(30 * MIB);
    Map<String, SharedObjects.Maker<AutoCloseable>> wanted = two("a", 10, "b", 20);
    List<Future<?>> all = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      all.add(tasks.submit(() -> acquire(wanted, 30_000)));
    }
    JointAcquisition<String, AutoCloseable> refused = new JointAcquisition<>(objects, wanted);
    RoomWait brief = new RoomWait(Duration.ofMillis(300), () -> false, () -> {});
    assertThatThrownBy(() -> refused.acquire(brief)).isInstanceOf(RefusedException.class);
    refused.refuseToOthers("no room");
    for (Future<?> each : all) {
      assertThatThrownBy(() -> each.get(10, TimeUnit.SECONDS))
          .isInstanceOf(ExecutionException.class)
          .hasCauseInstanceOf(RefusedException.class);
    }
  }

  /** It would be made again and again, because nobody waits for room of what is useless. */
  @Test
  void anObjectBesideOneThatIsRefused_isNotMade() {
    assertThatThrownBy(() -> acquire(Map.of("b", maker("b", 51, Map.of())), 0))
        .isInstanceOf(RefusedException.class);
    others.take(30 * MIB);
    assertThatThrownBy(() -> acquire(two("a", 30, "b", 51), 30_000))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("no room");
    assertThat(made("a")).isZero();
  }

  @Test
  void refusalsToOthers_areOfTheObjectThatLackedRoom() {
    JointAcquisition<String, AutoCloseable> both =
        new JointAcquisition<>(objects, two("a", 20, "b", 31));
    assertThatThrownBy(() -> both.acquire(RoomWait.none())).isInstanceOf(RefusedException.class);
    objects.dropUnused();
    both.refuseToOthers("no room");
    assertThat(acquire(Map.of("a", maker("a", 20, Map.of())), 0)).hasSize(1);
    assertThatThrownBy(() -> acquire(Map.of("b", maker("b", 31, Map.of())), 0))
        .isInstanceOf(RefusedException.class);
    assertThat(made("b")).isEqualTo(1);
  }

  /** Each waiter would make it again, one after the other, before it waits. */
  @Test
  void aRefusal_isToldToTasksThatWaitForTheObject() throws Exception {
    others.take(30 * MIB);
    CountDownLatch refuse = new CountDownLatch(1);
    SharedObjects.Maker<AutoCloseable> inner = maker("a", 30, Map.of());
    SharedObjects.Maker<AutoCloseable> slow =
        new SharedObjects.Maker<>() {
          @Override
          public AutoCloseable make(Room room) {
            try {
              refuse.await();
            } catch (InterruptedException e) {
              throw new CancellationException();
            }
            return inner.make(room);
          }

          @Override
          public boolean isWanted() {
            return true;
          }
        };
    List<Future<?>> all = new ArrayList<>();
    for (int i = 0; i < 16; i++) {
      all.add(tasks.submit(() -> acquire(Map.of("a", slow), 30_000)));
    }
    TimeUnit.MILLISECONDS.sleep(300);
    refuse.countDown();
    TimeUnit.MILLISECONDS.sleep(300);
    assertThat(made("a")).isEqualTo(1);
    others.close();
    for (Future<?> each : all) {
      each.get(10, TimeUnit.SECONDS);
    }
    assertThat(made("a")).isEqualTo(2);
  }

  /** What the object needs while it is made takes its room: to make it again and again is vain. */
  @Test
  void roomThatItsOwnObjectsTake_endsTheAttempts() {
    SharedObjects.Maker<AutoCloseable> outer =
        maker("a", 30, Map.of("b", maker("b", 30, Map.of())));
    long start = System.nanoTime();
    assertThatThrownBy(() -> acquire(Map.of("a", outer), 30_000))
        .isInstanceOf(RefusedException.class);
    assertThat(System.nanoTime() - start).isLessThan(5_000_000_000L);
    assertThat(made("a")).isEqualTo(4);
  }
}
