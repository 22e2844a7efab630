package io.mooring.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mooring.parquet.read.DeviceAdmission;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;

/** Work on a device of which 50 MiB can be kept, and others that take room there. */
abstract class WorkInRoom {
  static final long MIB = 1L << 20;
  static final RoomWait LONG = new RoomWait(Duration.ofSeconds(30), () -> false, () -> {});

  final DeviceAdmission admission = new DeviceAdmission(100 * MIB);
  final SharedObjects objects = new SharedObjects(admission);
  final Room.Temporary others = objects.room();
  final Room.Temporary own = objects.room();
  final ExecutorService tasks = Executors.newFixedThreadPool(8);
  final AtomicInteger attempts = new AtomicInteger();
  final AtomicInteger refusals = new AtomicInteger();

  @AfterEach
  void stop() {
    tasks.shutdownNow();
  }

  /** Takes 10 MiB, with what permits round up to, three times. */
  String takeThirty(Room room) {
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

  String takeOf(Room room, int first, int second) {
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

  static String takeAtOnce(Room room, int mib) {
    room.take(mib * MIB);
    return "made";
  }

  void awaitRefusal() {
    await().until(() -> refusals.get() == 1 && admission.reservedBytes() == 31 * MIB);
  }

  static SharedObjects.Maker<AutoCloseable> maker(Function<Room, Object> work) {
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
}
