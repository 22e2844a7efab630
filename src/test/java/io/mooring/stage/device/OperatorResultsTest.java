package io.mooring.stage.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.expr.device.DeviceBatch;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** How parts of a result become one, of batches without columns, which need no GPU. */
class OperatorResultsTest {
  private int merges;

  private DeviceBatch together(List<DeviceBatch> parts) {
    merges++;
    return new DeviceBatch(List.of(), parts.stream().mapToLong(DeviceBatch::rows).sum());
  }

  @Test
  void nothingIsNull() {
    try (OperatorResults results = new OperatorResults(this::together, true)) {
      assertThat(results.take()).isNull();
    }
  }

  @Test
  void aPartAloneStaysAsItIs() {
    DeviceBatch only = new DeviceBatch(List.of(), 5);
    try (OperatorResults results = new OperatorResults(this::together, true)) {
      results.add(only);
      assertThat(results.take()).isSameAs(only);
      assertThat(merges).isZero();
    }
  }

  @Test
  void severalPartsAreOneBatch() {
    try (OperatorResults results = new OperatorResults(this::together, false)) {
      results.add(new DeviceBatch(List.of(), 2));
      results.add(new DeviceBatch(List.of(), 3));
      assertThat(Objects.requireNonNull(results.take()).rows()).isEqualTo(5);
      assertThat(merges).isEqualTo(1);
    }
  }
}
