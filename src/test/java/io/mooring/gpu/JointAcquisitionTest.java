package io.mooring.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.mooring.parquet.read.DeviceAdmission;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tasks that need several objects, on a device of which 50 MiB can be kept. */
class JointAcquisitionTest {
  private static final long MIB = 1L << 20;
  private static final RoomWait LONG = new RoomWait(Duration.ofSeconds(30), () -> {});
  private static final RoomWait BRIEF = new RoomWait(Duration.ofMillis(200), () -> {});

  private final DeviceAdmission admission = new DeviceAdmission(100 * MIB);
  private final SharedObjects objects = new SharedObjects(admission);
  private final SharedObjects.TemporaryRoom others = objects.room();
  private final ExecutorService tasks = Executors.newFixedThreadPool(16);
  private final AtomicInteger made = new AtomicInteger();

  @AfterEach
  void stop() {
    tasks.shutdownNow();
  }

  private SharedObjects.Request<AutoCloseable> request(String key, int mib) {
    return new SharedObjects.Request<>(
        key,
        new SharedObjects.Maker<>() {
          @Override
          public AutoCloseable make(SharedObjects.Room room) {
            room.take(mib * MIB - 1);
            made.incrementAndGet();
            return () -> assertThat(key).isNotEmpty();
          }

          @Override
          public boolean isWanted() {
            return true;
          }
        });
  }

  @Test
  void objectsThatFit_areAcquiredInOrder() throws Exception {
    List<AutoCloseable> both =
        objects.acquireAll(List.of(request("a", 20), request("b", 30)), BRIEF);
    assertThat(both).doesNotHaveDuplicates().hasSize(2);
    assertThat(objects.<AutoCloseable>acquire("a", request("a", 20).maker())).isSameAs(both.get(0));
    assertThat(made).hasValue(2);
    assertThat(admission.reservedBytes()).isEqualTo(50 * MIB);
  }

  @Test
  void aTaskThatWaits_holdsNothing() throws Exception {
    others.take(20 * MIB);
    Future<List<AutoCloseable>> both =
        tasks.submit(() -> objects.acquireAll(List.of(request("a", 20), request("b", 30)), LONG));
    await().until(() -> made.get() == 1 && admission.reservedBytes() == 41 * MIB);
    // Another task gets the room of the first object, which nobody uses.
    assertThat(objects.<AutoCloseable>acquire("c", request("c", 25).maker())).isNotNull();
    assertThat(admission.reservedBytes()).isEqualTo(46 * MIB);
    TimeUnit.MILLISECONDS.sleep(200);
    assertThat(both.isDone()).isFalse();
    others.close();
    objects.release("c");
    assertThat(both.get(10, TimeUnit.SECONDS)).hasSize(2);
    assertThat(admission.reservedBytes()).isEqualTo(50 * MIB);
  }

  @Test
  void objectsThatStillStay_areNotMadeAgain() throws Exception {
    others.take(20 * MIB);
    Future<List<AutoCloseable>> both =
        tasks.submit(() -> objects.acquireAll(List.of(request("a", 20), request("b", 30)), LONG));
    await().until(() -> made.get() == 1);
    others.close();
    assertThat(both.get(10, TimeUnit.SECONDS)).hasSize(2);
    assertThat(made).hasValue(2);
  }

  @Test
  void moreThanFitsTogether_isRefusedAtOnceAndToAll() throws Exception {
    long start = System.nanoTime();
    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(
              () -> objects.acquireAll(List.of(request("a", 20), request("b", 31)), LONG))
          .isInstanceOf(RefusedException.class)
          .hasMessageContaining("no room");
    }
    assertThat(System.nanoTime() - start).isLessThan(5_000_000_000L);
    assertThat(made).hasValue(1);
    assertThatThrownBy(() -> objects.acquire("b", request("b", 31).maker()))
        .isInstanceOf(RefusedException.class);
  }

  @Test
  void roomThatStaysTaken_isRefusedAfterTheLongestTimeAndThenAtOnce() {
    others.take(30 * MIB);
    List<SharedObjects.Request<AutoCloseable>> both = List.of(request("a", 10), request("b", 20));
    assertThatThrownBy(() -> objects.acquireAll(both, BRIEF)).isInstanceOf(RefusedException.class);
    long start = System.nanoTime();
    assertThatThrownBy(() -> objects.acquireAll(both, LONG)).isInstanceOf(RefusedException.class);
    assertThat(System.nanoTime() - start).isLessThan(5_000_000_000L);
  }

  /** If each held its first object while it waits for the second, none would get any further. */
  @Test
  void tasksThatFitOneAtATime_allGetTheirTurn() throws Exception {
    List<Future<Integer>> all = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      String query = "query " + i;
      for (int task = 0; task < 2; task++) {
        all.add(tasks.submit(() -> useBoth(query)));
      }
    }
    for (Future<Integer> each : all) {
      assertThat(each.get(60, TimeUnit.SECONDS)).isEqualTo(2);
    }
    objects.dropUnused();
    assertThat(admission.reservedBytes()).isZero();
  }

  private int useBoth(String query) throws InterruptedException {
    List<SharedObjects.Request<AutoCloseable>> both =
        List.of(request(query + " a", 20), request(query + " b", 20));
    int count = objects.acquireAll(both, LONG).size();
    TimeUnit.MILLISECONDS.sleep(20);
    both.forEach(request -> objects.release(request.key()));
    return count;
  }
}
