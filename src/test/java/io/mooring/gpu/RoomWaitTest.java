package io.mooring.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.mooring.parquet.read.DeviceAdmission;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Work that finds no room on the device, of which 50 MiB can be kept, waits for others' room. */
class RoomWaitTest {
  private static final long MIB = 1L << 20;
  private static final RoomWait LONG = new RoomWait(Duration.ofSeconds(30), () -> {});

  private final DeviceAdmission admission = new DeviceAdmission(100 * MIB);
  private final SharedObjects objects = new SharedObjects(admission);
  private final SharedObjects.TemporaryRoom others = objects.room();
  private final SharedObjects.TemporaryRoom own = objects.room();
  private final ExecutorService tasks = Executors.newFixedThreadPool(8);
  private final AtomicInteger attempts = new AtomicInteger();

  @AfterEach
  void stop() {
    tasks.shutdownNow();
  }

  /** Takes 10 MiB, with what permits round up to, three times. */
  private String takeThirty(SharedObjects.Room room) {
    attempts.incrementAndGet();
    for (int i = 0; i < 3; i++) {
      room.take(10 * MIB - 1);
    }
    return "made";
  }

  private void awaitRefusal() {
    await().until(() -> attempts.get() == 1 && admission.reservedBytes() == 31 * MIB);
  }

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
  void roomOfObjectsThatNobodyUses_isTakenWithoutAWait() throws Exception {
    objects.acquire(
        "key",
        new SharedObjects.Maker<AutoCloseable>() {
          @Override
          public AutoCloseable make(SharedObjects.Room room) {
            room.take(40 * MIB);
            return () -> {};
          }

          @Override
          public boolean isWanted() {
            return true;
          }
        });
    objects.release("key");
    assertThat(own.attempt(LONG, this::takeThirty)).isEqualTo("made");
    assertThat(attempts).hasValue(1);
  }

  @Test
  void moreThanCanEverBeKept_isRefusedAtOnce() {
    RuntimeException never = new IllegalStateException("waited");
    RoomWait none =
        new RoomWait(
            Duration.ofSeconds(30),
            () -> {
              throw never;
            });
    assertThatThrownBy(() -> own.attempt(none, room -> takeOf(room, 25, 26)))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("no room");
    assertThat(attempts).hasValue(1);
    assertThat(admission.reservedBytes()).isZero();
  }

  private String takeOf(SharedObjects.Room room, int first, int second) {
    attempts.incrementAndGet();
    try (SharedObjects.TemporaryRoom temporary = room.temporary()) {
      temporary.take(first * MIB);
      room.take(second * MIB);
    }
    return "made";
  }

  @Test
  void roomThatStaysTaken_isRefusedAfterTheLongestTime() {
    others.take(30 * MIB);
    long start = System.nanoTime();
    RoomWait brief = new RoomWait(Duration.ofMillis(300), () -> {});
    assertThatThrownBy(() -> own.attempt(brief, this::takeThirty))
        .isInstanceOf(RefusedException.class);
    assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(300_000_000);
    assertThat(attempts).hasValue(1);
    assertThat(admission.reservedBytes()).isEqualTo(31 * MIB);
  }

  @Test
  void temporaryRoomOfAnAttempt_countsInWhatItNeeds() throws Exception {
    SharedObjects.TemporaryRoom more = objects.room();
    others.take(9 * MIB);
    more.take(19 * MIB);
    Future<String> made = tasks.submit(() -> own.attempt(LONG, room -> takeOf(room, 19, 19)));
    await().until(() -> attempts.get() == 1 && admission.reservedBytes() == 30 * MIB);
    // 30 MiB would be enough for either part alone.
    others.close();
    TimeUnit.MILLISECONDS.sleep(200);
    assertThat(attempts).hasValue(1);
    more.close();
    assertThat(made.get(10, TimeUnit.SECONDS)).isEqualTo("made");
    assertThat(admission.reservedBytes()).isEqualTo(20 * MIB);
  }

  @Test
  void aKilledTask_stopsWaiting() {
    others.take(30 * MIB);
    AtomicBoolean killed = new AtomicBoolean();
    RoomWait wait =
        new RoomWait(
            Duration.ofSeconds(30),
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
  void anInterruptedTask_isRefusedAndStaysInterrupted() throws Exception {
    others.take(30 * MIB);
    AtomicBoolean interrupted = new AtomicBoolean();
    Thread waiting =
        new Thread(
            () -> {
              assertThatThrownBy(() -> own.attempt(LONG, this::takeThirty))
                  .isInstanceOf(RefusedException.class);
              interrupted.set(Thread.interrupted());
            });
    waiting.start();
    await().until(() -> waiting.getState() == Thread.State.TIMED_WAITING);
    waiting.interrupt();
    waiting.join(10_000);
    assertThat(interrupted).isTrue();
  }

  @Test
  void tasksThatDoNotFitTogether_comeOneAfterTheOther() throws Exception {
    List<Future<String>> all = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      all.add(
          tasks.submit(
              () -> {
                try (SharedObjects.TemporaryRoom mine = objects.room()) {
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
    assertThat(RoomWait.ofTable(0, () -> {}).most()).isEqualTo(Duration.ofSeconds(1));
    assertThat(RoomWait.ofTable(600_000_000, () -> {}).most()).isEqualTo(Duration.ofSeconds(3));
    assertThat(RoomWait.ofTable(1L << 40, () -> {}).most()).isEqualTo(Duration.ofSeconds(10));
  }
}
