package io.mooring.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Tasks that need several objects, and wait for room for all of them. */
class JointAcquisitionTest extends JointTasks {
  private final Set<Thread> working = ConcurrentHashMap.newKeySet();

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
  void anObjectThatOthersUse_needsNoRoomAgain() throws Exception {
    acquire(Map.of("a", maker("a", 30, Map.of())), 0);
    others.take(10 * MIB);
    Future<?> both = tasks.submit(() -> acquire(two("a", 30, "b", 15), 30_000));
    awaitRefusal("b");
    others.close();
    both.get(5, TimeUnit.SECONDS);
    assertThat(made("a")).isEqualTo(1);
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
