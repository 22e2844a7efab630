package io.mooring.scan.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.pushdown.Constant;
import io.mooring.pushdown.Expr;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;

class SelectivityHistoryTest {
  private static final Expr FILTER = new Constant(true, DataTypes.BooleanType);

  private final SelectivityHistory history = new SelectivityHistory();

  private static SelectivityHistory.Key key(String folder) {
    return new SelectivityHistory.Key(FILTER, new StructType(), folder);
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
