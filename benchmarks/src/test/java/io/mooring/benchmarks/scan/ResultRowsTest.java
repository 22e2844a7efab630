package io.mooring.benchmarks.scan;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.benchmarks.query.ScanQuery;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class ResultRowsTest {

  private static final ResultRows EXPECTED = rows(row(1L, "a", 0.1), row(2L, null, 0.2));

  private static List<Object> row(Object... cells) {
    return Arrays.asList(cells);
  }

  @SafeVarargs
  @SuppressWarnings("varargs")
  private static ResultRows rows(List<Object>... rows) {
    return new ResultRows(List.of(rows));
  }

  @Test
  void orderPlaysNoPart() {
    assertThat(EXPECTED.difference(rows(row(2, null, 0.2), row(1, "a", 0.1)), 0)).isEmpty();
  }

  @Test
  void aChangedValueIsCaught() {
    ResultRows changed = rows(row(1L, "a", 0.1), row(3L, null, 0.2));
    assertThat(EXPECTED.difference(changed, ScanQuery.ANY_ORDER))
        .hasValueSatisfying(
            d -> {
              assertThat(d.expected()).isEqualTo("2 (row 2, column 1)");
              assertThat(d.got()).isEqualTo("3");
            });
  }

  @Test
  void aMissingRowIsCaught() {
    assertThat(EXPECTED.difference(rows(row(1L, "a", 0.1)), 1)).isPresent();
  }

  @Test
  void doublesMayDifferInTheLastDigitsOfASumOnly() {
    ResultRows close = rows(row(1L, "a", 0.1 + 1e-12), row(2L, null, 0.2));
    assertThat(EXPECTED.difference(close, ScanQuery.ANY_ORDER)).isEmpty();
    assertThat(EXPECTED.difference(close, 0)).isPresent();
    ResultRows far = rows(row(1L, "a", 0.1 + 1e-6), row(2L, null, 0.2));
    assertThat(EXPECTED.difference(far, ScanQuery.ANY_ORDER)).isPresent();
  }

  @Test
  void nullIsNotZeroAndNaNIsNaN() {
    assertThat(rows(row((Object) null)).difference(rows(row(0L)), 1)).isPresent();
    assertThat(rows(row(Double.NaN)).difference(rows(row(Double.NaN)), 0)).isEmpty();
    assertThat(rows(row(Double.NaN)).difference(rows(row(1.0)), 1)).isPresent();
  }
}
