package io.mooring.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.mooring.parquet.read.DeviceAdmission;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SharedObjectsTest {
  private static final long MIB = 1L << 20;
  private static final int TASKS = 8;

  private final DeviceAdmission admission = new DeviceAdmission(100 * MIB);
  private final SharedObjects objects = new SharedObjects(admission);
  private final ExecutorService tasks = Executors.newFixedThreadPool(TASKS);

  /** An object that takes some room. */
  private static final class Thing implements AutoCloseable {
    private final AtomicBoolean closed = new AtomicBoolean();

    @Override
    public void close() {
      assertThat(closed.compareAndSet(false, true)).as("closed once").isTrue();
    }

    boolean isClosed() {
      return closed.get();
    }
  }

  /** Makes things of one size, and counts them. */
  private static class Things implements SharedObjects.Maker<Thing> {
    final AtomicInteger made = new AtomicInteger();
    private final long bytes;
    volatile boolean wanted = true;

    Things(long bytes) {
      this.bytes = bytes;
    }

    @Override
    public Thing make(Room room) {
      made.incrementAndGet();
      room.take(bytes);
      return new Thing();
    }

    @Override
    public boolean isWanted() {
      return wanted;
    }
  }

  @AfterEach
  void stop() {
    tasks.shutdownNow();
  }

  @Test
  void oneOfSeveralTasksMakesWhatTheOthersWaitFor() throws Exception {
    CountDownLatch all = new CountDownLatch(TASKS - 1);
    Things things =
        new Things(MIB) {
          @Override
          public Thing make(Room room) {
            awaitUninterruptibly(all);
            return super.make(room);
          }
        };
    List<Future<Thing>> taken = new ArrayList<>();
    for (int i = 0; i < TASKS; i++) {
      taken.add(
          tasks.submit(
              () -> {
                all.countDown();
                return objects.acquire("key", things);
              }));
    }
    Thing first = taken.get(0).get();
    for (Future<Thing> each : taken) {
      assertThat(each.get()).isSameAs(first);
    }
    assertThat(things.made).hasValue(1);
    assertThat(admission.isIdle()).isTrue();
    for (int i = 0; i < TASKS; i++) {
      assertThat(first.isClosed()).isFalse();
      things.wanted = false;
      objects.release("key");
    }
    assertThat(first.isClosed()).isTrue();
    assertThat(admission.reservedBytes()).isZero();
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void whatIsWantedStaysUntilRoomIs() throws Exception {
    Things things = new Things(30 * MIB);
    Thing first = objects.acquire("first", things);
    objects.release("first");
    assertThat(first.isClosed()).isFalse();
    assertThat(objects.<Thing>acquire("first", things)).isSameAs(first);
    objects.release("first");
    Thing second = objects.acquire("second", things);
    assertThat(first.isClosed()).isTrue();
    assertThat(second.isClosed()).isFalse();
    assertThat(admission.reservedBytes()).isEqualTo(31 * MIB);
  }

  @Test
  void whatIsUsedIsNotFreed_andARefusalForItsRoomPasses() throws Exception {
    Things things = new Things(30 * MIB);
    Thing used = objects.acquire("used", things);
    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(() -> objects.acquire("other", things))
          .isInstanceOf(RefusedException.class)
          .hasMessageContaining("no room");
    }
    assertThat(used.isClosed()).isFalse();
    objects.dropUnused();
    assertThat(used.isClosed()).isFalse();
    objects.release("used");
    assertThat(objects.<Thing>acquire("other", things).isClosed()).isFalse();
    assertThat(used.isClosed()).isTrue();
  }

  @Test
  void whatCanNeverHaveRoom_isRefusedToAllAsLongAsItIsWanted() throws Exception {
    Things things = new Things(60 * MIB);
    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(() -> objects.acquire("key", things))
          .isInstanceOf(RefusedException.class)
          .hasMessageContaining("no room");
    }
    assertThat(things.made).hasValue(1);
    things.wanted = false;
    objects.dropUnwanted();
    assertThat(objects.size()).isZero();
    assertThat(objects.<Thing>acquire("key", new Things(MIB)).isClosed()).isFalse();
  }

  @Test
  void whatABrokenOffTaskBeganAnotherTaskMakes() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch breakOff = new CountDownLatch(1);
    Things failing =
        new Things(MIB) {
          @Override
          public Thing make(Room room) {
            room.take(10 * MIB);
            begun.countDown();
            awaitUninterruptibly(breakOff);
            throw new IllegalStateException("broken off");
          }
        };
    Future<Thing> broken = tasks.submit(() -> objects.<Thing>acquire("key", failing));
    begun.await();
    Things things = new Things(MIB);
    Future<Thing> next = tasks.submit(() -> objects.<Thing>acquire("key", things));
    await().pollDelay(java.time.Duration.ofMillis(50)).until(() -> !next.isDone());
    breakOff.countDown();
    assertThatThrownBy(broken::get).hasMessageContaining("broken off");
    assertThat(next.get().isClosed()).isFalse();
    assertThat(things.made).hasValue(1);
    assertThat(admission.reservedBytes()).isEqualTo(2 * MIB);
  }

  @Test
  void whoWaitsCanBeKilledWithoutAnInterrupt() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    Things slow =
        new Things(MIB) {
          @Override
          public Thing make(Room room) {
            begun.countDown();
            awaitUninterruptibly(go);
            return super.make(room);
          }
        };
    Things killed =
        new Things(MIB) {
          @Override
          public void checkWait() {
            throw new IllegalStateException("killed");
          }
        };
    Future<Thing> making = tasks.submit(() -> objects.<Thing>acquire("key", slow));
    begun.await();
    assertThatThrownBy(() -> objects.acquire("key", killed)).hasMessage("killed");
    assertThat(making.isDone()).isFalse();
    go.countDown();
    Thing made = making.get();
    slow.wanted = false;
    objects.release("key");
    assertThat(made.isClosed()).isTrue();
  }

  @Test
  void whatFailsAgainAndAgainIsRefusedToAllAsLongAsItIsWanted() throws Exception {
    Things failing =
        new Things(MIB) {
          @Override
          public Thing make(Room room) {
            super.make(room);
            throw new IllegalStateException("fails on");
          }
        };
    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(() -> objects.acquire("key", failing)).hasMessage("fails on");
    }
    for (int i = 0; i < TASKS; i++) {
      assertThatThrownBy(() -> objects.acquire("key", failing))
          .isInstanceOf(RefusedException.class);
    }
    assertThat(failing.made).hasValue(3);
    assertThat(admission.reservedBytes()).isZero();
    failing.wanted = false;
    objects.dropUnwanted();
    assertThat(objects.size()).isZero();
    assertThat(objects.<Thing>acquire("key", new Things(MIB)).isClosed()).isFalse();
  }

  @Test
  void failuresOfWhatIsNotWantedAnyMoreAreForgotten() {
    Things failing =
        new Things(MIB) {
          @Override
          public Thing make(Room room) {
            super.make(room);
            throw new IllegalStateException("fails on");
          }
        };
    failing.wanted = false;
    for (int i = 0; i < TASKS; i++) {
      assertThatThrownBy(() -> objects.acquire("key", failing)).hasMessage("fails on");
    }
    assertThat(failing.made).hasValue(TASKS);
    assertThat(objects.size()).isZero();
  }

  @Test
  void anInterruptedTaskLeavesNothingBehind() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    Things slow =
        new Things(MIB) {
          @Override
          public Thing make(Room room) {
            begun.countDown();
            awaitUninterruptibly(go);
            return super.make(room);
          }
        };
    Future<Thing> making = tasks.submit(() -> objects.<Thing>acquire("key", slow));
    begun.await();
    AtomicBoolean interrupted = new AtomicBoolean();
    Thread waiting =
        new Thread(
            () -> {
              try {
                objects.acquire("key", slow);
              } catch (InterruptedException e) {
                interrupted.set(true);
              }
            });
    waiting.start();
    await().until(() -> waiting.getState() == Thread.State.TIMED_WAITING);
    waiting.interrupt();
    waiting.join();
    assertThat(interrupted).isTrue();
    go.countDown();
    Thing made = making.get();
    slow.wanted = false;
    objects.release("key");
    assertThat(made.isClosed()).isTrue();
  }
}
