package io.mooring.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.mooring.parquet.read.DeviceAdmission;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tasks that need several objects, on a device of which 50 MiB can be kept. */
class JointAcquisitionTest {
  private static final long MIB = 1L << 20;

  private final DeviceAdmission admission = new DeviceAdmission(100 * MIB);
  private final SharedObjects objects = new SharedObjects(admission);
  private final Room.Temporary others = objects.room();
  private final ExecutorService tasks = Executors.newFixedThreadPool(32);
  private final Map<String, AtomicInteger> made = new ConcurrentHashMap<>();
  private final Set<Thread> working = ConcurrentHashMap.newKeySet();

  @AfterEach
  void stop() {
    tasks.shutdownNow();
  }

  /** Makes an object of some MiB, after other objects that it needs meanwhile. */
  private SharedObjects.Maker<AutoCloseable> maker(
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

  private Map<String, SharedObjects.Maker<AutoCloseable>> two(
      String first, int mib, String second, int more) {
    Map<String, SharedObjects.Maker<AutoCloseable>> wanted = new LinkedHashMap<>();
    wanted.put(first, maker(first, mib, Map.of()));
    wanted.put(second, maker(second, more, Map.of()));
    return wanted;
  }

  private Map<String, AutoCloseable> acquire(
      Map<String, SharedObjects.Maker<AutoCloseable>> wanted, long millis) {
    JointAcquisition<String, AutoCloseable> all = new JointAcquisition<>(objects, wanted);
    return all.acquire(new RoomWait(Duration.ofMillis(millis), all::isSettled, () -> {}));
  }

  private int made(String key) {
    AtomicInteger count = made.get(key);
    return count == null ? 0 : count.get();
  }

  /** Waits until a task that needs some objects has no room for the last, and holds none. */
  private void awaitRefusal(String... keys) {
    String last = keys[keys.length - 1];
    await().until(() -> made(last) == 1 && objects.find(last) == null);
    await()
        .until(
            () ->
                Stream.of(keys)
                    .map(objects::find)
                    .noneMatch(object -> object != null && object.isUsed()));
  }

  @Test
  void objectsThatFit_areAcquiredOnce() {
    Map<String, AutoCloseable> both = acquire(two("a", 20, "b", 30), 0);
    assertThat(both).containsOnlyKeys("a", "b");
    assertThat(acquire(two("a", 20, "b", 30), 0)).isEqualTo(both);
    assertThat(made("a") + made("b")).isEqualTo(2);
    assertThat(admission.reservedBytes()).isEqualTo(50 * MIB);
  }

  @Test
  void aTaskThatWaits_holdsNothing() throws Exception {
    others.take(20 * MIB);
    Future<?> both = tasks.submit(() -> acquire(two("a", 20, "b", 30), 30_000));
    awaitRefusal("a", "b");
    assertThat(admission.reservedBytes()).isEqualTo(41 * MIB);
    // Another task gets the room of the first object, which nobody uses.
    acquire(Map.of("c", maker("c", 25, Map.of())), 0);
    assertThat(admission.reservedBytes()).isEqualTo(46 * MIB);
    TimeUnit.MILLISECONDS.sleep(200);
    assertThat(both.isDone()).isFalse();
    assertThat(made("a") + made("b")).isEqualTo(2);
    others.close();
    objects.release("c");
    both.get(10, TimeUnit.SECONDS);
    assertThat(admission.reservedBytes()).isEqualTo(50 * MIB);
  }

  @Test
  void objectsThatStillStay_areNotMadeAgain() throws Exception {
    others.take(20 * MIB);
    Future<?> both = tasks.submit(() -> acquire(two("a", 20, "b", 30), 30_000));
    awaitRefusal("a", "b");
    others.close();
    both.get(10, TimeUnit.SECONDS);
    assertThat(made("a")).isEqualTo(1);
    assertThat(made("b")).isEqualTo(2);
  }

  /** A waiter behind a large request must not stay there once its objects are made by another. */
  @Test
  void objectsThatAnotherTaskMade_areAcquiredOutOfTurn() throws Exception {
    others.take(30 * MIB);
    Future<?> large = tasks.submit(() -> acquire(two("l", 30, "m", 19), 30_000));
    awaitRefusal("l");
    Future<?> late = tasks.submit(() -> acquire(two("a", 5, "b", 20), 30_000));
    awaitRefusal("a", "b");
    others.close();
    others.take(20 * MIB);
    acquire(two("a", 5, "b", 20), 0);
    late.get(10, TimeUnit.SECONDS);
    assertThat(large.isDone()).isFalse();
    assertThat(made("b")).isEqualTo(2);
  }

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
  void anObjectThatOthersUse_needsNoRoomAgain() throws Exception {
    acquire(Map.of("a", maker("a", 30, Map.of())), 0);
    others.take(10 * MIB);
    Future<?> both = tasks.submit(() -> acquire(two("a", 30, "b", 15), 30_000));
    awaitRefusal("b");
    others.close();
    both.get(5, TimeUnit.SECONDS);
    assertThat(made("a")).isEqualTo(1);
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

  /** If each held its first object while it waits for the second, none would get any further. */
  @Test
  void tasksThatFitOneAtATime_allGetTheirTurn() throws Exception {
    List<Future<?>> all = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      String query = "query " + i;
      for (int task = 0; task < 4; task++) {
        all.add(tasks.submit(() -> useBoth(query)));
      }
    }
    for (Future<?> each : all) {
      each.get(60, TimeUnit.SECONDS);
    }
    objects.dropUnused();
    assertThat(admission.reservedBytes()).isZero();
    // Once in vain, and once when it is the query's turn; other tasks may drop the first between.
    int count = made.values().stream().mapToInt(AtomicInteger::get).sum();
    assertThat(count).isLessThanOrEqualTo(8 * 6);
  }

  private void useBoth(String query) {
    Map<String, AutoCloseable> both = acquire(two(query + " a", 20, query + " b", 20), 30_000);
    try {
      TimeUnit.MILLISECONDS.sleep(20);
    } catch (InterruptedException e) {
      throw new CancellationException();
    }
    both.keySet().forEach(objects::release);
  }

  /** A task that needs much is not overtaken for ever by those that need little and wait, too. */
  @Test
  void tasksThatWait_comeInTheirOrder() throws Exception {
    others.take(40 * MIB);
    List<String> order = new ArrayList<>();
    List<Future<?>> all = new ArrayList<>();
    for (String key : List.of("large", "small 1", "small 2")) {
      int mib = key.equals("large") ? 45 : 15;
      all.add(
          tasks.submit(
              () -> {
                acquire(Map.of(key, maker(key, mib, Map.of())), 30_000);
                synchronized (order) {
                  order.add(key);
                }
                objects.release(key);
              }));
      awaitRefusal(key);
      TimeUnit.MILLISECONDS.sleep(50);
    }
    others.close();
    for (Future<?> each : all) {
      each.get(10, TimeUnit.SECONDS);
    }
    assertThat(order.get(0)).isEqualTo("large");
  }

  @Test
  void anInterruptedTask_givesBackAndWaitsNoMore() throws Exception {
    others.take(30 * MIB);
    Thread waiting =
        new Thread(
            () ->
                assertThatThrownBy(() -> acquire(two("a", 10, "b", 20), 30_000))
                    .isInstanceOf(CancellationException.class));
    waiting.start();
    awaitRefusal("a", "b");
    waiting.interrupt();
    waiting.join(10_000);
    assertThat(waiting.isAlive()).isFalse();
    others.close();
    objects.dropUnused();
    assertThat(admission.reservedBytes()).isZero();
    assertThat(acquire(two("c", 30, "d", 20), 0)).hasSize(2);
  }

  /** Objects need others while they are made, as build sides do, and tasks are killed any time. */
  @Test
  void tasksThatAreInterruptedAtRandom_leaveNothingInUse() throws Exception {
    long seed = System.nanoTime();
    AtomicInteger done = new AtomicInteger();
    List<Future<?>> all = new ArrayList<>();
    for (int i = 0; i < 16; i++) {
      Random random = new Random(seed + i);
      all.add(
          tasks.submit(
              () -> {
                for (int round = 0; round < 60; round++) {
                  done.addAndGet(useSome(random) ? 1 : 0);
                }
              }));
    }
    Random killer = new Random(seed);
    while (!all.stream().allMatch(Future::isDone)) {
      TimeUnit.MILLISECONDS.sleep(killer.nextInt(5));
      List<Thread> threads = List.copyOf(working);
      if (!threads.isEmpty()) {
        threads.get(killer.nextInt(threads.size())).interrupt();
      }
    }
    for (Future<?> each : all) {
      each.get();
    }
    objects.dropUnused();
    assertThat(admission.reservedBytes()).as("seed " + seed).isZero();
    assertThat(done.get()).isPositive();
    assertThat(acquire(two("c", 25, "d", 25), 0)).hasSize(2);
  }

  /** Acquires some objects, and uses them; whether it was not interrupted. */
  private boolean useSome(Random random) {
    Map<String, SharedObjects.Maker<AutoCloseable>> wanted = new LinkedHashMap<>();
    for (int i = 1 + random.nextInt(3); i > 0; i--) {
      String key = "object " + random.nextInt(8);
      String inner = "inner " + random.nextInt(3);
      int mib = 4 + key.hashCode() % 4 + 4;
      wanted.put(
          key,
          maker(
              key,
              mib,
              random.nextBoolean() ? Map.of() : Map.of(inner, maker(inner, 5, Map.of()))));
    }
    working.add(Thread.currentThread());
    try {
      Map<String, AutoCloseable> acquired = acquire(wanted, 2_000);
      try {
        TimeUnit.MILLISECONDS.sleep(random.nextInt(4));
      } finally {
        acquired.keySet().forEach(objects::release);
      }
      return true;
    } catch (RefusedException | CancellationException | InterruptedException e) {
      return false;
    } finally {
      working.remove(Thread.currentThread());
      // The next round is another task.
      Thread.interrupted();
    }
  }
}
