package io.mooring.jni;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mooring.jni.FaultJni.Point;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
    assertThat(FaultJni.fired()).isZero();
    assertThatThrownBy(FaultJni::decoding)
        .isInstanceOf(CudaFailure.class)
        .hasMessage("cudaErrorInvalidValue: invalid argument");
    assertThatCode(FaultJni::decoding).doesNotThrowAnyException();
    assertThat(FaultJni.fired()).isOne();
    FaultJni.clear();
    assertThat(FaultJni.fired()).isZero();
  }

  @Test
  void everyDecodeFailsFromTheNthOn() {
    FaultJni.failFrom(Point.DECODE, 2, OUT_OF_MEMORY);
    FaultJni.decoding();
    for (int i = 0; i < 5; i++) {
      assertThatThrownBy(FaultJni::decoding).isInstanceOf(OutOfMemoryError.class);
    }
    assertThat(FaultJni.fired()).isEqualTo(5);
  }

  @ParameterizedTest
  @CsvSource({
    "HybridScanReader, materializeAllColumns",
    "HybridScanReader, materializeAllColumnsChunk",
    "ParquetChunkedReader, readChunk"
  })
  void faultsStandInFrontOfCudfsDecoding(String owner, String name) throws Exception {
    Method decode =
        Arrays.stream(Class.forName("ai.rapids.cudf." + owner).getDeclaredMethods())
            .filter(it -> it.getName().equals(name) && Modifier.isNative(it.getModifiers()))
            .findFirst()
            .orElseThrow();
    decode.setAccessible(true);
    Object[] nothing =
        Arrays.stream(decode.getParameterTypes())
            .map(type -> type == long.class ? (Object) 0L : null)
            .toArray();
    FaultJni.failNth(Point.DECODE, 1, OUT_OF_MEMORY);
    assertThatThrownBy(() -> decode.invoke(null, nothing))
        .cause()
        .isInstanceOf(OutOfMemoryError.class)
        .hasMessage("Fault of a test: out of memory");
  }

  @Test
  void anErrorThatAContextDoesNotSurviveStays() {
    FaultJni.failNth(Point.TAKE_EVENT, 1, ILLEGAL_ADDRESS);
    assertThatThrownBy(TransferJni::takeEvent).hasMessageStartingWith("cudaErrorIllegalAddress");
    assertThatThrownBy(() -> TransferJni.setDevice(0))
        .hasMessageStartingWith("cudaErrorIllegalAddress");
    assertThat(TransferJni.contextProblem(0)).startsWith("cudaErrorIllegalAddress");
    FaultJni.clear();
    assertThatCode(FaultJni::decoding).doesNotThrowAnyException();
  }
}
