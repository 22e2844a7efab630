package io.mooring.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.jni.CudaFailure;
import io.mooring.jni.FaultJni;
import io.mooring.jni.FaultJni.Point;
import io.mooring.jni.NativeLibrary;
import io.mooring.testing.LogCapture;
import io.mooring.testing.RequiresGpu;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.apache.logging.log4j.Level;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class GpuHealthTest {
  private static final int INVALID_VALUE = 1;
  private static final int ILLEGAL_ADDRESS = 700;
  private static final int MANY = 1000;
  private static final Throwable FAILURE = new CudaFailure("cudaErrorSomething: it failed");

  private final GpuHealth health = ofOnlyDevice();

  static GpuHealth ofOnlyDevice() {
    return new GpuHealth(0, "GPU 7", new OnlyDevice());
  }

  @BeforeEach
  void load() {
    assertThat(NativeLibrary.load()).as(NativeLibrary.problem()).isTrue();
  }

  @AfterEach
  void clear() {
    FaultJni.clear();
  }

  @Test
  void aLostGpuIsToldOnceHoweverManyTasksMeetIt() {
    FaultJni.failFrom(Point.ASK_CONTEXT, 1, ILLEGAL_ADDRESS);
    try (LogCapture log = LogCapture.open()) {
      assertThat(IntStream.range(0, MANY).parallel().allMatch(i -> health.isLost(FAILURE)))
          .isTrue();
      assertThat(log.messages(Level.ERROR))
          .singleElement()
          .asString()
          .contains("lost GPU 7: cudaErrorIllegalAddress: ", "restart the executor");
    }
    assertThat(health.problem()).startsWith("the GPU was lost: cudaErrorIllegalAddress");
  }

  @Test
  @RequiresGpu
  void anErrorThatPassesIsNoLoss() {
    FaultJni.failNth(Point.ASK_CONTEXT, 1, INVALID_VALUE);
    assertThat(health.isLost(FAILURE)).isFalse();
    assertThat(health.problem()).isNull();
  }

  @Test
  void failuresBetweenSuccessesAreNoReasonToGiveTheGpuUp() {
    try (LogCapture log = LogCapture.open()) {
      for (int i = 0; i < MANY; i++) {
        health.failed(FAILURE);
        if (i % 20 == 0) {
          health.succeeded();
        }
      }
      assertThat(log.messages(Level.ERROR)).isEmpty();
    }
    assertThat(health.problem()).isNull();
  }

  @Test
  void afterFailuresWithoutAnySuccessTheGpuIsPausedLongerEachTime() {
    AtomicLong now = new AtomicLong(-1);
    GpuHealth paused = new GpuHealth(0, "GPU 7", new OnlyDevice(), now::get);
    Duration pause = Duration.ofMinutes(5);
    for (int i = 0; i < 6; i++) {
      assertPaused(paused);
      now.addAndGet(pause.toNanos() - 1);
      assertThat(paused.problem()).contains("scans only failed", "cudaErrorSomething");
      now.addAndGet(1);
      assertThat(paused.problem()).isNull();
      paused.failed(FAILURE);
      assertThat(paused.problem()).isNull();
      pause =
          pause.multipliedBy(2).compareTo(Duration.ofHours(1)) > 0
              ? Duration.ofHours(1)
              : pause.multipliedBy(2);
    }
    paused.succeeded();
    assertPaused(paused);
    now.addAndGet(Duration.ofMinutes(5).toNanos());
    assertThat(paused.problem()).isNull();
  }

  private static void assertPaused(GpuHealth health) {
    try (LogCapture log = LogCapture.open()) {
      IntStream.range(0, MANY).parallel().forEach(i -> health.failed(FAILURE));
      assertThat(log.messages(Level.ERROR))
          .singleElement()
          .asString()
          .contains("does not use GPU 7 for", "spark.mooring.gpu.memory.fraction");
    }
    assertThat(health.problem()).contains("scans only failed", "cudaErrorSomething");
  }

  @Test
  void aGpuThatIsLostWhileItIsPausedStaysSo() {
    AtomicLong now = new AtomicLong();
    GpuHealth lost = new GpuHealth(0, "GPU 7", new OnlyDevice(), now::get);
    assertPaused(lost);
    FaultJni.failFrom(Point.ASK_CONTEXT, 1, ILLEGAL_ADDRESS);
    assertThat(lost.isLost(FAILURE)).isTrue();
    now.addAndGet(Duration.ofDays(1).toNanos());
    assertThat(lost.problem()).startsWith("the GPU was lost");
    assertThat(lost.isLost(FAILURE)).isTrue();
  }

  private static final class OnlyDevice implements GpuHealth.DeviceGroup {
    @Override
    public void checkContexts() {}

    @Override
    public String fallbackMessage() {
      return "Scans go on";
    }
  }
}
