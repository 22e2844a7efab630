package io.mooring.parquet.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class DeviceAdmissionTest {
  private static final long MIB = 1 << 20;

  private DeviceAdmission admission = new DeviceAdmission(100 * MIB);

  @Test
  void whatFitsIsAdmittedAndTheRestIsNot() throws InterruptedException {
    assertThat(admission.acquire(60 * MIB)).isPositive();
    assertThat(admission.tryAcquire(60 * MIB)).isZero();
    assertThat(admission.tryAcquire(20 * MIB)).isPositive();
  }

  @Test
  void whatIsReleasedIsAdmittedAgain() throws InterruptedException {
    admission.release(admission.acquire(90 * MIB));
    assertThat(admission.tryAcquire(90 * MIB)).isPositive();
  }

  @Test
  void aUnitLargerThanTheDeviceIsAdmittedAlone() throws InterruptedException {
    int held = admission.acquire(1L << 50);
    assertThat(admission.tryAcquire(1)).isZero();
    admission.release(held);
    assertThat(admission.tryAcquire(1)).isPositive();
  }

  @Test
  void readingAheadDoesNotOvertakeAWaitingTask() throws InterruptedException {
    int held = admission.acquire(90 * MIB);
    CompletableFuture<Integer> waiting = started(50 * MIB);
    await().until(() -> admission.tryAcquire(1) == 0);
    admission.release(held);
    assertThat(waiting.join()).isPositive();
  }

  @Test
  void tasksAreServedInTheOrderTheyCame() throws InterruptedException {
    List<Integer> order = new CopyOnWriteArrayList<>();
    int held = admission.acquire(100 * MIB);
    CompletableFuture<?>[] waiting = new CompletableFuture<?>[4];
    for (int i = 0; i < waiting.length; i++) {
      int task = i;
      waiting[i] =
          started(99 * MIB)
              .thenAccept(
                  permits -> {
                    order.add(task);
                    admission.release(permits);
                  });
      Thread.sleep(50);
    }
    admission.release(held);
    CompletableFuture.allOf(waiting).join();
    assertThat(order).containsExactly(0, 1, 2, 3);
  }

  @Test
  void aWaitThatIsTooLongIsAnErrorAndNotAHang() throws InterruptedException {
    DeviceAdmission hasty =
        new DeviceAdmission(10 * MIB, Duration.ofMillis(20), Duration.ofSeconds(5));
    int held = hasty.acquire(10 * MIB);
    assertThatThrownBy(() -> hasty.acquire(MIB))
        .isInstanceOf(DeviceBusyException.class)
        .hasMessageContaining("2 MiB");
    hasty.release(held);
    assertThat(hasty.acquire(9 * MIB)).isPositive();
  }

  @Test
  void keep_takesRoomFromUnits() throws InterruptedException {
    int kept = admission.keep(29 * MIB);
    assertThat(kept).isEqualTo(30);
    assertThat(admission.isIdle()).isTrue();
    assertThat(admission.admittedBytes()).isZero();
    assertThat(admission.keep(30 * MIB)).isZero();
    // All that units can still get.
    int held = admission.acquire(1L << 50);
    assertThat(held).isEqualTo(70);
    admission.giveUp(kept);
    assertThat(admission.tryAcquire(29 * MIB)).isEqualTo(30);
    admission.release(held + 30);
    assertThat(admission.isIdle()).isTrue();
  }

  @Test
  void keep_ofAdmittedRoom_delaysTheNextUnit() throws InterruptedException {
    int held = admission.acquire(90 * MIB);
    assertThat(admission.keep(39 * MIB)).isEqualTo(40);
    CompletableFuture<Integer> waiting = started(9 * MIB);
    admission.release(held - 51);
    Thread.sleep(50);
    assertThat(waiting).isNotDone();
    admission.release(51);
    assertThat(waiting.join()).isEqualTo(10);
  }

  @Test
  void acquire_ofAllWhileRoomIsKept_getsTheRest() throws InterruptedException {
    int held = admission.acquire(20 * MIB);
    CompletableFuture<Integer> waiting = started(1L << 50);
    await().until(() -> admission.tryAcquire(1) == 0);
    admission.keep(40 * MIB);
    admission.release(held);
    // At once: others behind it would wait as well.
    assertThat(waiting.orTimeout(1, TimeUnit.SECONDS).join()).isEqualTo(59);
  }

  @Test
  void acquire_ofMoreThanIsCertain_letsOthersGoFirst() throws InterruptedException {
    admission = new DeviceAdmission(100 * MIB, Duration.ofMinutes(2), Duration.ofMillis(100));
    int held = admission.acquire(10 * MIB);
    CompletableFuture<Integer> waiting = started(1L << 50);
    await().until(() -> admission.tryAcquire(1) == 0);
    // Who holds the rest may need this first.
    int second = started(5 * MIB).orTimeout(5, TimeUnit.SECONDS).join();
    assertThat(waiting).isNotDone();
    admission.release(second);
    admission.release(held);
    assertThat(waiting.orTimeout(5, TimeUnit.SECONDS).join()).isEqualTo(100);
  }

  @Test
  void acquire_onAnInterruptedThread_takesNothing() {
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> admission.acquire(MIB)).isInstanceOf(InterruptedException.class);
    assertThat(Thread.interrupted()).isFalse();
    assertThat(admission.isIdle()).isTrue();
  }

  private CompletableFuture<Integer> started(long bytes) {
    CompletableFuture<Integer> result = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                result.complete(admission.acquire(bytes));
              } catch (InterruptedException | RuntimeException e) {
                result.completeExceptionally(e);
              }
            });
    thread.setDaemon(true);
    thread.start();
    return result;
  }
}
