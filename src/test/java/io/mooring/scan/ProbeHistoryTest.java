package io.mooring.scan;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.pushdown.Constant;
import io.mooring.pushdown.Expr;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;

class ProbeHistoryTest {
  private static final Expr FILTER = new Constant(true, DataTypes.BooleanType);

  private final ProbeHistory history = new ProbeHistory();

  private static ProbeHistory.Key key(String folder) {
    return new ProbeHistory.Key(FILTER, new StructType(), folder);
  }

  @Test
  void aLookPaysUntilMoreThanHalfOfTheBytesWereReadAfterAll() {
    assertThat(history.worthwhile(key("a"))).isTrue();
    history.add(key("a"), 100, 50);
    assertThat(history.worthwhile(key("a"))).isTrue();
    history.add(key("a"), 10, 6);
    assertThat(history.worthwhile(key("a"))).isFalse();
    assertThat(history.worthwhile(key("b"))).isTrue();
    history.add(key("a"), 1_000, 0);
    assertThat(history.worthwhile(key("a"))).isTrue();
  }
}
