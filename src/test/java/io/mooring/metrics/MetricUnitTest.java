package io.mooring.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MetricUnitTest {
  @ParameterizedTest
  @CsvSource({
    "COUNT, 1234567, 1234567",
    "BYTES, 0, 0 B",
    "BYTES, 1023, 1023 B",
    "BYTES, 1536, 1.5 KiB",
    "BYTES, 67108864, 64 MiB",
    "BYTES, 9223372036854775807, 8192 PiB",
    "NANOSECONDS, 1500, 1.5 us",
    "NANOSECONDS, 20000000, 20 ms",
    "NANOSECONDS, 3200000000, 3.2 s",
  })
  void numbersAreShownWithTheUnitThatFits(MetricUnit unit, long value, String shown) {
    assertThat(unit.show(value)).isEqualTo(shown);
  }
}
