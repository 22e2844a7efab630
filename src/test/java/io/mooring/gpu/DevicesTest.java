package io.mooring.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mooring.cache.ChunkCache;
import io.mooring.jni.CudaFailure;
import io.mooring.jni.FaultJni;
import io.mooring.jni.NativeLibrary;
import io.mooring.parquet.read.HeldAdmission;
import io.mooring.parquet.read.TaskLimit;
import io.mooring.testing.LogCapture;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.logging.log4j.Level;
import org.junit.jupiter.api.Test;

/** Where tasks go; no device is touched. */
class DevicesTest {
  private static final long BYTES = 1L << 30;
  private static final long STREAM = 2;
  private static final int ENOUGH_FAILURES = 32;
  private static final int ILLEGAL_ADDRESS = 700;

  private static Devices devices(int count) {
    return new Devices(
        IntStream.range(0, count)
            .mapToObj(number -> new StartedDevice(number, "GPU " + number, BYTES, STREAM))
            .toList(),
        new IoLimits(1, 1),
        1,
        Duration.ZERO,
        ChunkCache.OFF);
  }

  private static void pause(Device device) {
    CudaFailure failure = new CudaFailure("cudaErrorSomething: it failed");
    IntStream.range(0, ENOUGH_FAILURES).forEach(i -> device.health().failed(failure));
    assertThat(device.problem()).contains("cudaErrorSomething");
  }

  @Test
  void tasksGoToTheDeviceWithTheFewest() {
    Devices three = devices(3);
    List<Device> first = LongStream.range(0, 3).mapToObj(three::take).toList();
    assertThat(first).containsExactlyElementsOf(three.all());
    three.giveBack(1);
    assertThat(three.take(10)).isSameAs(first.get(1));
    LongStream.range(20, 23).forEach(three::take);
    three.giveBack(2);
    three.giveBack(20);
    assertThat(List.of(three.take(30), three.take(31))).containsOnly(first.get(2));
  }

  @Test
  void eachDeviceHasTurnsOfItsOwn() throws InterruptedException {
    for (Device device : devices(2).all()) {
      TaskLimit limit = device.scanResources().limit();
      limit.acquire(() -> {});
      assertThatThrownBy(() -> limit.acquire(DevicesTest::refuse)).hasMessage("it has to wait");
    }
  }

  private static void refuse() {
    throw new IllegalStateException("it has to wait");
  }

  @Test
  void amongEqualsTheOneWithTheFewestBytesIsTaken() {
    Devices two = devices(2);
    try (HeldAdmission held =
        HeldAdmission.of(two.all().get(0).scanResources().admission(), BYTES / 2)) {
      assertThat(held.admission().admittedBytes()).isGreaterThanOrEqualTo(BYTES / 2);
      assertThat(two.areIdle()).isFalse();
      assertThat(two.take(1)).isSameAs(two.all().get(1));
    }
    assertThat(two.areIdle()).isTrue();
  }

  @Test
  void oneAfterTheOtherTasksGoRound() {
    Devices three = devices(3);
    for (int i = 0; i < 9; i++) {
      assertThat(three.take(i)).isSameAs(three.all().get(i % 3));
      three.giveBack(i);
    }
  }

  @Test
  void aTaskKeepsItsDeviceUntilItsLastReaderIsClosed() {
    Devices two = devices(2);
    Device device = two.take(5);
    two.take(6);
    two.take(7);
    assertThat(two.take(5)).isSameAs(device);
    two.giveBack(5);
    assertThat(two.take(5)).isSameAs(device);
    two.giveBack(5);
    two.giveBack(5);
    two.giveBack(7);
    assertThat(two.take(5)).as("as a new task").isSameAs(device);
  }

  @Test
  void aPausedDeviceGetsNoTasksAndTheOthersGoOn() {
    Devices two = devices(2);
    try (LogCapture log = LogCapture.open()) {
      pause(two.all().get(0));
      assertThat(log.messages(Level.ERROR))
          .singleElement()
          .asString()
          .contains("does not use GPU 0 for 300 s", "Scans use the other GPUs");
      assertThat(LongStream.range(0, 5).mapToObj(two::take)).containsOnly(two.all().get(1));
      assertThat(two.problem()).isNull();
      assertThat(two.names()).startsWith("GPU 0: scans only failed").endsWith(", GPU 1");
      pause(two.all().get(1));
      assertThat(log.messages(Level.ERROR))
          .last()
          .asString()
          .contains("does not use GPU 1 for 300 s", "Scans go on with Spark's own Parquet reader");
    }
    assertThat(two.problem()).startsWith("scans only failed");
    assertThat(two.names()).isEqualTo("GPU 0, GPU 1");
    assertThat(two.take(99)).isIn(two.all());
  }

  @Test
  void devicesThatAreLostTogetherAreToldOnce() {
    assertThat(NativeLibrary.load()).as(NativeLibrary.problem()).isTrue();
    List<Device> all = devices(3).all();
    FaultJni.failFrom(FaultJni.Point.ASK_CONTEXT, 1, ILLEGAL_ADDRESS);
    try (LogCapture log = LogCapture.open()) {
      boolean lost =
          IntStream.range(0, 300)
              .parallel()
              .allMatch(i -> all.get(i % 3).health().isLost(new CudaFailure("it failed")));
      assertThat(lost).isTrue();
      assertThat(log.messages(Level.ERROR))
          .singleElement()
          .asString()
          .contains("Mooring lost GPU", "Scans go on with Spark's own Parquet reader");
      assertThat(all).allMatch(device -> device.problem().contains("cudaErrorIllegalAddress"));
    } finally {
      FaultJni.clear();
    }
  }

  @Test
  void byChanceEachTaskGoesWhereThereAreFewest() {
    long seed = System.nanoTime();
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    Devices all = devices(1 + random.nextInt(8));
    Map<Long, Device> running = new HashMap<>();
    for (long task = 0; task < 500; task++) {
      // Only growth is spread: ends come as they come.
      long least = leastTasks(all, running);
      Device taken = all.take(task);
      assertThat(tasksOn(taken, running)).isEqualTo(least);
      running.put(task, taken);
      if (random.nextBoolean()) {
        long ended = List.copyOf(running.keySet()).get(random.nextInt(running.size()));
        running.remove(ended);
        all.giveBack(ended);
      }
    }
  }

  private static long leastTasks(Devices all, Map<Long, Device> running) {
    return all.all().stream().mapToLong(device -> tasksOn(device, running)).min().orElseThrow();
  }

  private static long tasksOn(Device device, Map<Long, Device> running) {
    return running.values().stream().filter(device::equals).count();
  }

  @Test
  void devicesWithoutTasksAreLentOnce() {
    Devices three = devices(3);
    Device own = three.take(1);
    List<LentDevice> lent = three.lendIdle(9);
    assertThat(lent).hasSize(2);
    assertThat(three.lendIdle(9)).isEmpty();
    assertThat(LentDevice.ofThread()).isNull();
    lent.get(1)
        .run(
            () -> {
              Device device = LentDevice.ofThread();
              assertThat(device).isNotNull().isNotSameAs(own);
              AtomicReference<Device> inherited = new AtomicReference<>();
              Runnable work = LentDevice.inherited(() -> inherited.set(LentDevice.ofThread()));
              CompletableFuture.runAsync(work).join();
              assertThat(inherited.get()).isSameAs(device);
            });
    assertThat(LentDevice.ofThread()).isNull();
    lent.get(0).close();
    lent.get(0).close();
    assertThat(three.lendIdle(0)).isEmpty();
    assertThat(three.lendIdle(1)).hasSize(1);
  }

  @Test
  void aLentDeviceCountsAsOneWithATask() {
    Devices two = devices(2);
    Device own = two.take(1);
    try (LentDevice lent = two.lendIdle(9).get(0)) {
      assertThat(lent.usable()).isTrue();
      Device second = two.take(2);
      assertThat(List.of(second, two.take(3))).containsExactlyInAnyOrderElementsOf(two.all());
      assertThat(own).isIn(two.all());
    }
    assertThat(two.lendIdle(9)).isEmpty();
  }

  @Test
  void aDeviceThatIsGivenUpIsNotLent() {
    Devices two = devices(2);
    two.take(1);
    pause(two.all().get(1));
    assertThat(two.lendIdle(9)).isEmpty();
  }
}
