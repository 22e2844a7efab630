package io.mooring.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.mooring.parquet.read.DeviceAdmission;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Work that finds no room on the device, of which 50 MiB can be kept, waits for others' room. */
class RoomWaitTest {
  private static final long MIB = 1L << 20;
  private static final RoomWait LONG = new RoomWait(Duration.ofSeconds(30), () -> false, () -> {});

  private final DeviceAdmission admission = new DeviceAdmission(100 * MIB);
  private final SharedObjects objects = new SharedObjects(admission);
  private final Room.Temporary others = objects.room();
  private final Room.Temporary own = objects.room();
  private final ExecutorService tasks = Executors.newFixedThreadPool(8);
  private final AtomicInteger attempts = new AtomicInteger();
  private final AtomicInteger refusals = new AtomicInteger();

  @AfterEach
  void stop() {
    tasks.shutdownNow();
  }

  /** Takes 10 MiB, with what permits round up to, three times. */
  private String takeThirty(Room room) {
    attempts.incrementAndGet();
    try {
      for (int i = 0; i < 3; i++) {
        room.take(10 * MIB - 1);
      }
    } catch (RefusedException e) {
      refusals.incrementAndGet();
      throw e;
    }
    return "made";
  }

  private void awaitRefusal() {
    await().until(() -> refusals.get() == 1 && admission.reservedBytes() == 31 * MIB);
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
    objects.acquire("key", maker(room -> takeAtOnce(room, 40)));
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
            () -> false,
            () -> {
              throw never;
            });
    assertThatThrownBy(() -> own.attempt(none, room -> takeOf(room, 25, 26)))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("no room");
    assertThat(attempts).hasValue(1);
    assertThat(admission.reservedBytes()).isZero();
  }

  private String takeOf(Room room, int first, int second) {
    attempts.incrementAndGet();
    try (Room.Temporary temporary = room.temporary()) {
      temporary.take(first * MIB);
      room.take(second * MIB);
    } catch (RefusedException e) {
      refusals.incrementAndGet();
      throw e;
    }
    return "made";
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
  void temporaryRoomOfAnAttempt_countsInWhatItNeeds() throws Exception {
    Room.Temporary more = objects.room();
    others.take(9 * MIB);
    more.take(19 * MIB);
    Future<String> made = tasks.submit(() -> own.attempt(LONG, room -> takeOf(room, 19, 19)));
    await().until(() -> refusals.get() == 1 && admission.reservedBytes() == 30 * MIB);
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

  private static SharedObjects.Maker<AutoCloseable> maker(Function<Room, Object> work) {
    return new SharedObjects.Maker<>() {
      @Override
      public AutoCloseable make(Room room) {
        Object made = work.apply(room);
        return () -> assertThat(made).isNotNull();
      }

      @Override
      public boolean isWanted() {
        return true;
      }
    };
  }

  @Test
  void anAttemptWithinAnother_givesBackAllOfIt() throws Exception {
    others.take(19 * MIB);
    Future<String> made =
        tasks.submit(
            () ->
                own.attempt(
                    LONG,
                    room -> {
                      room.take(9 * MIB);
                      return objects.room().attempt(LONG, this::takeThirty);
                    }));
    await().until(() -> attempts.get() >= 1 && admission.reservedBytes() == 20 * MIB);
    TimeUnit.MILLISECONDS.sleep(200);
    // At first it knows of the inner 30 MiB alone, for which there is room without the outer ones.
    assertThat(attempts.get()).isBetween(2, 4);
    int vain = attempts.get();
    others.close();
    assertThat(made.get(10, TimeUnit.SECONDS)).isEqualTo("made");
    assertThat(attempts).hasValue(vain + 1);
  }

  @Test
  void roomThatTheWorkItselfHolds_isNotWaitedFor() {
    // A table that the work acquires and releases, in whose place its own room would be.
    Function<Room, String> work =
        room -> {
          try {
            objects.acquire("table", maker(table -> takeAtOnce(table, 29)));
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
          try {
            return takeThirty(room);
          } finally {
            objects.release("table");
          }
        };
    long start = System.nanoTime();
    assertThatThrownBy(() -> own.attempt(LONG, work)).isInstanceOf(RefusedException.class);
    assertThat(System.nanoTime() - start).isLessThan(5_000_000_000L);
    // With all of the device free for the last one.
    assertThat(attempts).hasValue(4);
  }

  private static String takeAtOnce(Room room, int mib) {
    room.take(mib * MIB);
    return "made";
  }

  /** Others may hold the room at each try, and give it back before the refusal is looked at. */
  @Test
  void roomThatOthersHoldForMomentsOnly_isTakenInALaterAttempt() {
    Function<Room, String> work =
        room -> {
          if (attempts.incrementAndGet() > 3) {
            return takeAtOnce(room, 30);
          }
          try (Room.Temporary another = objects.room()) {
            another.take(30 * MIB);
            return takeAtOnce(room, 30);
          }
        };
    assertThat(own.attempt(LONG, work)).isEqualTo("made");
    assertThat(attempts).hasValue(4);
  }

  /** Each of these moments would be worth another try if there were no bound. */
  @Test
  void roomOfOthersThatComesAndGoes_isNoReasonToTryOnAndOn() throws Exception {
    AtomicBoolean over = new AtomicBoolean();
    Future<?> busy =
        tasks.submit(
            () -> {
              while (!over.get()) {
                try (Room.Temporary another = objects.room()) {
                  another.take(5 * MIB);
                  TimeUnit.MILLISECONDS.sleep(10);
                } catch (RefusedException e) {
                  // The other work has all at the moment.
                }
                TimeUnit.MILLISECONDS.sleep(10);
              }
              return null;
            });
    RoomWait second = new RoomWait(Duration.ofSeconds(1), () -> false, () -> {});
    assertThatThrownBy(() -> own.attempt(second, room -> takeBeside(room, 25, 30)))
        .isInstanceOf(RefusedException.class);
    over.set(true);
    busy.get(10, TimeUnit.SECONDS);
    assertThat(attempts.get()).isBetween(3, 8);
  }

  /** Takes room that the refusal does not count, and then some that it does. */
  private String takeBeside(Room room, int uncounted, int mib) {
    attempts.incrementAndGet();
    try (Room.Temporary more = objects.room()) {
      more.take(uncounted * MIB);
      room.take(mib * MIB - 1);
    }
    return "made";
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
