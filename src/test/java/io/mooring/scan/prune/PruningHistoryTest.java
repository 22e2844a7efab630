package io.mooring.scan.prune;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.scan.prune.PruningHistory.Key;
import java.util.List;
import org.apache.spark.sql.sources.GreaterThan;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;

class PruningHistoryTest {
  private final PruningHistory history = new PruningHistory();

  private static Key above(int value) {
    return new Key(List.of(new GreaterThan("id", value)), List.of(), new StructType());
  }

  private void add(Key key, int files, boolean ruledOut) {
    for (int i = 0; i < files; i++) {
      history.add(key, ruledOut);
    }
  }

  @Test
  void mostAreRuledOut_ifStatisticsRuleOutMoreThanThreeOfFour() {
    add(above(1), 15, true);
    assertThat(history.mostAreRuledOut(above(1))).as("15 files tell nothing").isFalse();
    add(above(1), 1, true);
    assertThat(history.mostAreRuledOut(above(1))).isTrue();
    assertThat(history.mostAreRuledOut(above(2))).isFalse();
    add(above(1), 6, false);
    assertThat(history.mostAreRuledOut(above(1))).as("16 of 22").isFalse();
    add(above(1), 3, true);
    assertThat(history.mostAreRuledOut(above(1))).as("19 of 25").isTrue();
  }
}
