package io.mooring.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Work that finds no room on the device waits for others' room. */
class RoomWaitTest extends WorkInRoom {
  @Test
  void roomThatOthersGiveBack_isTakenInASecondAttempt() throws Exception {
    others.take(30 * MIB);
    Future<String> made = tasks.submit(() -> own.attempt(LONG, this::takeThirty));
    // While the work waits it keeps nothing from others.
    awaitRefusal();
    others.close();
    assertThat(made.get(10, TimeUnit.SECONDS)).isEqualTo("made");
    assertThat(attempts).hasValue(2);
    assertThat(admission.reservedBytes()).isEqualTo(30 * MIB);
    own.close();
    assertThat(admission.reservedBytes()).isZero();
  }

  @Test
  void roomThatStaysTaken_isRefusedAfterTheLongestTime() {
    others.take(30 * MIB);
    long start = System.nanoTime();
    RoomWait brief = new RoomWait(Duration.ofMillis(300), () -> false, () -> {});
    assertThatThrownBy(() -> own.attempt(brief, this::takeThirty))
        .isInstanceOf(RefusedException.class);
    assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(300_000_000);
    assertThat(attempts).hasValue(1);
    assertThat(admission.reservedBytes()).isEqualTo(31 * MIB);
  }

  @Test
  void aKilledTask_stopsWaiting() {
    others.take(30 * MIB);
    AtomicBoolean killed = new AtomicBoolean();
    RoomWait wait =
        new RoomWait(
            Duration.ofSeconds(30),
            () -> false,
            () -> {
              if (killed.get()) {
                throw new IllegalStateException("killed");
              }
            });
    Future<String> made = tasks.submit(() -> own.attempt(wait, this::takeThirty));
    awaitRefusal();
    killed.set(true);
    assertThatThrownBy(() -> made.get(10, TimeUnit.SECONDS))
        .isInstanceOf(ExecutionException.class)
        .hasMessageContaining("killed");
    assertThat(admission.reservedBytes()).isEqualTo(31 * MIB);
  }

  @Test
  void anInterruptedTask_stopsWaitingAndLeavesTheObjectToOthers() throws Exception {
    others.take(30 * MIB);
    SharedObjects.Maker<AutoCloseable> maker = maker(room -> room.attempt(LONG, this::takeThirty));
    AtomicBoolean interrupted = new AtomicBoolean();
    Thread waiting =
        new Thread(
            () -> {
              assertThatThrownBy(() -> objects.acquire("key", maker))
                  .isInstanceOf(CancellationException.class);
              interrupted.set(Thread.interrupted());
            });
    waiting.start();
    awaitRefusal();
    waiting.interrupt();
    waiting.join(10_000);
    assertThat(interrupted).isTrue();
    others.close();
    assertThat(objects.<AutoCloseable>acquire("key", maker)).isNotNull();
    assertThat(attempts).hasValue(2);
  }

  @Test
  void killedMakers_areNoFailures() throws Exception {
    SharedObjects.Maker<AutoCloseable> killed =
        new SharedObjects.Maker<>() {
          @Override
          public AutoCloseable make(Room room) {
            throw new IllegalStateException("killed");
          }

          @Override
          public boolean isWanted() {
            return true;
          }

          @Override
          public boolean isKilled() {
            return true;
          }
        };
    for (int i = 0; i < 5; i++) {
      assertThatThrownBy(() -> objects.acquire("key", killed)).hasMessage("killed");
    }
    assertThat(objects.<AutoCloseable>acquire("key", maker(this::takeThirty))).isNotNull();
  }

  /** The tasks that came before have what they need, but are counted as if they had not. */
  @Test
  void roomThatIsFreeInTheEnd_isTakenBesideAnEarlierTaskAtWork() throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    others.take(30 * MIB);
    Future<String> first =
        tasks.submit(
            () ->
                objects
                    .room()
                    .attempt(
                        LONG,
                        room -> {
                          takeThirty(room);
                          awaitUninterruptibly(end);
                          return "made";
                        }));
    awaitRefusal();
    others.close();
    await().until(() -> attempts.get() == 2 && admission.reservedBytes() == 30 * MIB);
    others.take(10 * MIB);
    RoomWait second = new RoomWait(Duration.ofMillis(500), () -> false, () -> {});
    Future<String> late = tasks.submit(() -> own.attempt(second, room -> takeAtOnce(room, 15)));
    TimeUnit.MILLISECONDS.sleep(100);
    others.close();
    assertThat(late.get(10, TimeUnit.SECONDS)).isEqualTo("made");
    end.countDown();
    assertThat(first.get(10, TimeUnit.SECONDS)).isEqualTo("made");
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new CancellationException();
    }
  }

  @Test
  void objectsThatNobodyUses_stayWhereTheirRoomIsNotEnough() throws Exception {
    others.take(30 * MIB);
    AtomicBoolean closed = new AtomicBoolean();
    SharedObjects.Maker<AutoCloseable> small =
        new SharedObjects.Maker<>() {
          @Override
          public AutoCloseable make(Room room) {
            room.take(4 * MIB);
            return () -> closed.set(true);
          }

          @Override
          public boolean isWanted() {
            return true;
          }
        };
    Future<String> made = tasks.submit(() -> own.attempt(LONG, this::takeThirty));
    awaitRefusal();
    objects.acquire("small", small);
    objects.release("small");
    TimeUnit.MILLISECONDS.sleep(200);
    assertThat(closed).isFalse();
    others.close();
    assertThat(made.get(10, TimeUnit.SECONDS)).isEqualTo("made");
  }

  @Test
  void tasksThatDoNotFitTogether_comeOneAfterTheOther() throws Exception {
    List<Future<String>> all = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      all.add(
          tasks.submit(
              () -> {
                try (Room.Temporary mine = objects.room()) {
                  mine.attempt(LONG, this::takeThirty);
                  TimeUnit.MILLISECONDS.sleep(20);
                  return "used";
                }
              }));
    }
    for (Future<String> each : all) {
      assertThat(each.get(30, TimeUnit.SECONDS)).isEqualTo("used");
    }
    assertThat(admission.reservedBytes()).isZero();
  }

  @Test
  void waits_areAsLongAsTheHostWouldNeed() {
    assertThat(ofTables(0)).isEqualTo(Duration.ofSeconds(1));
    assertThat(ofTables(600_000_000)).isEqualTo(Duration.ofSeconds(3));
    assertThat(ofTables(1L << 40)).isEqualTo(Duration.ofSeconds(30));
  }

  private static Duration ofTables(long bytes) {
    return RoomWait.ofTables(bytes, () -> false, () -> {}).most();
  }
}
