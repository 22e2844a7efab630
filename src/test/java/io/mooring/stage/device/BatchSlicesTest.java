package io.mooring.stage.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mooring.expr.device.DeviceBatch;
import io.mooring.scan.task.ResultTooLargeException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How batches are divided of which a join makes too many pairs. */
class BatchSlicesTest {
  private static final long GIB = 1L << 30;

  private static int count(long pairs, long bytes, long rows) {
    try {
      BatchSlices.checkPairs(pairs, bytes, rows);
      return 1;
    } catch (BatchSlices.NeededException e) {
      return e.count();
    }
  }

  @Test
  void pairsThatFitAreMadeAtOnce() {
    assertThatCode(() -> BatchSlices.checkPairs(GIB / 64, 64, 10)).doesNotThrowAnyException();
    assertThatCode(() -> BatchSlices.checkPairs(0, 0, 0)).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @CsvSource({
    "100000000, 40, 2000000",
    "2147483647, 1, 5000000",
    "2147483648, 0, 5000000",
    "4611686018427387904, 4096, 2147483647",
    "1073741825, 1, 2"
  })
  void slicesOfEvenRowsFitAndAreNoMoreThanTheRows(long pairs, long bytes, long rows) {
    int count = count(pairs, bytes, rows);
    assertThat(count).isBetween(2, (int) rows);
    boolean fits = (double) pairs / count * bytes <= GIB && pairs / count <= Integer.MAX_VALUE;
    assertThat(fits || count == rows).isTrue();
  }

  @Test
  void aRowAloneIsNotDivided() {
    assertThatThrownBy(() -> BatchSlices.checkPairs(GIB, 2, 1))
        .isInstanceOf(ResultTooLargeException.class);
  }

  @ParameterizedTest
  @CsvSource({
    "1000, 1000, 0, 1",
    "1048576, 256, 0, 1",
    "1048577, 256, 0, 2",
    "11000000, 250, 0, 11",
    "3, 1000000000, 0, 3",
    "0, 100, 0, 1",
    // A share below a quarter of a GiB changes nothing, a larger one makes slices larger.
    "11000000, 250, 200000000, 11",
    "11000000, 250, 1000000000, 3",
    "11000000, 250, 3000000000, 1",
    "11000000, 250, 9223372036854775807, 1"
  })
  void operatorsTakeTheirShareAtATime_orAQuarterOfAGibibyte(
      long rows, long bytesOfRow, long share, int count) {
    DeviceBatch batch = new DeviceBatch(List.of(), rows);
    assertThat(BatchSlices.countOf(batch, bytesOfRow, () -> share)).isEqualTo(count);
  }

  /** To ask costs a lock of the device. */
  @Test
  void operatorsThatNeedLittle_doNotAskForTheirShare() {
    LongSupplier never =
        () -> {
          throw new AssertionError();
        };
    assertThat(BatchSlices.countOf(new DeviceBatch(List.of(), 1000), 1000, never)).isEqualTo(1);
  }

  @Test
  void theConsumerCanStop() {
    List<Long> sizes = new ArrayList<>();
    boolean all =
        BatchSlices.forEachWhile(
            new DeviceBatch(List.of(), 30),
            3,
            slice -> {
              sizes.add(slice.rows());
              return sizes.size() < 2;
            });
    assertThat(all).isFalse();
    assertThat(sizes).containsExactly(10L, 10L);
  }

  /** Batches without columns have rows too, and need no GPU. */
  @ParameterizedTest
  @CsvSource({"10, 3", "2, 2", "7, 7", "2147483647, 1000"})
  void everyRowIsInOneSlice(long rows, int count) {
    List<Long> sizes = new ArrayList<>();
    BatchSlices.forEach(new DeviceBatch(List.of(), rows), count, slice -> sizes.add(slice.rows()));
    LongStream all = sizes.stream().mapToLong(Long::longValue);
    assertThat(all.sum()).isEqualTo(rows);
    assertThat(sizes).hasSize(count).allMatch(size -> size > 0);
  }
}
