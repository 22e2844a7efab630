package io.mooring.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mooring.parquet.read.DeviceAdmission;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;

/** A device of which 50 MiB can be kept, and tasks that need several objects on it at a time. */
abstract class JointTasks {
  static final long MIB = 1L << 20;

  final DeviceAdmission admission = new DeviceAdmission(100 * MIB);
  final SharedObjects objects = new SharedObjects(admission);
  final Room.Temporary others = objects.room();
  final ExecutorService tasks = Executors.newFixedThreadPool(32);
  final Map<String, AtomicInteger> made = new ConcurrentHashMap<>();

  @AfterEach
  void stop() {
    tasks.shutdownNow();
  }

  /** Makes an object of some MiB, after other objects that it needs meanwhile. */
  SharedObjects.Maker<AutoCloseable> maker(
      String key, int mib, Map<String, SharedObjects.Maker<AutoCloseable>> needed) {
    return new SharedObjects.Maker<>() {
      @Override
      public AutoCloseable make(Room room) {
        made.computeIfAbsent(key, any -> new AtomicInteger()).incrementAndGet();
        JointAcquisition<String, AutoCloseable> inner = new JointAcquisition<>(objects, needed);
        Map<String, AutoCloseable> acquired = inner.acquire(RoomWait.none());
        try {
          room.take(mib * MIB - 1);
        } finally {
          acquired.keySet().forEach(objects::release);
        }
        return () -> assertThat(key).isNotEmpty();
      }

      @Override
      public boolean isWanted() {
        return true;
      }
    };
  }

  Map<String, SharedObjects.Maker<AutoCloseable>> two(
      String first, int mib, String second, int more) {
    Map<String, SharedObjects.Maker<AutoCloseable>> wanted = new LinkedHashMap<>();
    wanted.put(first, maker(first, mib, Map.of()));
    wanted.put(second, maker(second, more, Map.of()));
    return wanted;
  }

  Map<String, AutoCloseable> acquire(
      Map<String, SharedObjects.Maker<AutoCloseable>> wanted, long millis) {
    JointAcquisition<String, AutoCloseable> all = new JointAcquisition<>(objects, wanted);
    return all.acquire(new RoomWait(Duration.ofMillis(millis), all::isSettled, () -> {}));
  }

  int made(String key) {
    AtomicInteger count = made.get(key);
    return count == null ? 0 : count.get();
  }

  /** Waits until a task that needs some objects has no room for the last, and holds none. */
  void awaitRefusal(String... keys) {
    String last = keys[keys.length - 1];
    await().until(() -> made(last) == 1 && objects.find(last) == null);
    await()
        .until(
            () ->
                Stream.of(keys)
                    .map(objects::find)
                    .noneMatch(object -> object != null && object.isUsed()));
  }
}
