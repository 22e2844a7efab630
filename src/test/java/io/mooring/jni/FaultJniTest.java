package io.mooring.jni;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mooring.jni.FaultJni.Point;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FaultJniTest {
  private static final int INVALID_VALUE = 1;
  private static final int OUT_OF_MEMORY = 2;
  private static final int ILLEGAL_ADDRESS = 700;

  @BeforeEach
  void load() {
    assertThat(NativeLibrary.load()).as(NativeLibrary.problem()).isTrue();
  }

  @AfterEach
  void clear() {
    FaultJni.clear();
  }

  @Test
  void theNthDecodeFailsAndNoOther() {
    FaultJni.failNth(Point.DECODE, 2, INVALID_VALUE);
    FaultJni.decoding();
    assertThatThrownBy(FaultJni::decoding)
        .isInstanceOf(CudaFailure.class)
        .hasMessage("cudaErrorInvalidValue: invalid argument");
    assertThatCode(FaultJni::decoding).doesNotThrowAnyException();
  }

  @Test
  void everyDecodeFailsFromTheNthOn() {
    FaultJni.failFrom(Point.DECODE, 2, OUT_OF_MEMORY);
    FaultJni.decoding();
    for (int i = 0; i < 5; i++) {
      assertThatThrownBy(FaultJni::decoding).isInstanceOf(OutOfMemoryError.class);
    }
  }

  @Test
  void anErrorThatAContextDoesNotSurviveStays() {
    FaultJni.failNth(Point.CREATE_EVENT, 1, ILLEGAL_ADDRESS);
    assertThatThrownBy(TransferJni::createEvent).hasMessageStartingWith("cudaErrorIllegalAddress");
    assertThatThrownBy(() -> TransferJni.setDevice(0))
        .hasMessageStartingWith("cudaErrorIllegalAddress");
    assertThat(TransferJni.contextProblem(0)).startsWith("cudaErrorIllegalAddress");
    FaultJni.clear();
    assertThatCode(FaultJni::decoding).doesNotThrowAnyException();
  }
}
