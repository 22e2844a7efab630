package io.mooring.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** How often work is tried that finds no room on the device, and how much it then waits for. */
class RoomAttemptTest extends WorkInRoom {
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
}
