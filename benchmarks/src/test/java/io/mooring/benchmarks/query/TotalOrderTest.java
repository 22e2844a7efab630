package io.mooring.benchmarks.query;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TotalOrderTest {

  @Test
  void everyColumnIsAKeyBehindTheQuerysOwn() {
    String sql = "SELECT a, b, c FROM t\nORDER BY c DESC, lower(a)\nLIMIT 100";
    assertThat(TotalOrder.isNeeded(sql)).isTrue();
    assertThat(TotalOrder.of(sql, List.of(1, 2, 3)))
        .isEqualTo("SELECT a, b, c FROM t\nORDER BY c DESC, lower(a),\n  1, 2, 3\nLIMIT 100");
    assertThat(TotalOrder.of("select a from t order by a limit 10;", List.of(1)))
        .isEqualTo("select a from t order by a,\n  1 limit 10;");
    assertThat(TotalOrder.of("select m, a from t order by a limit 10 offset 5", List.of(2)))
        .isEqualTo("select m, a from t order by a,\n  2 limit 10 offset 5");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT a FROM t",
        "SELECT a FROM t ORDER BY a",
        "SELECT count(*) FROM t LIMIT 100",
        "SELECT a, rank() OVER (ORDER BY b) FROM t LIMIT 100",
        "SELECT a FROM (SELECT a FROM t ORDER BY a LIMIT 5) LIMIT 100",
        "SELECT a FROM t WHERE b = (SELECT b FROM t ORDER BY a LIMIT 1)"
      })
  void aQueryWithoutAnOrderOrALimitStaysAsItIs(String sql) {
    assertThat(TotalOrder.isNeeded(sql)).isFalse();
  }
}
