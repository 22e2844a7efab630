package io.mooring.conformance;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.jspecify.annotations.Nullable;

/** Random rows: each column has its share of nulls, its number of distinct values and its runs. */
final class RandomRows {
  private static final int[] NULL_PERCENTS = {0, 0, 10, 50, 97, 100};
  private static final int[] DISTINCTS = {1, 3, 20, Integer.MAX_VALUE};
  private static final int[] RUNS = {1, 1, 7, 40};

  private final Dice dice;
  private final RandomValues values;

  public RandomRows(Dice dice) {
    this.dice = dice;
    this.values = new RandomValues(dice);
  }

  /** As many rows of these columns. */
  List<Row> next(List<TestColumn> columns, int count) {
    List<List<@Nullable Object>> byColumn = new ArrayList<>();
    columns.forEach(column -> byColumn.add(column(column, count)));
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int at = i;
      rows.add(RowFactory.create(byColumn.stream().map(column -> column.get(at)).toArray()));
    }
    return rows;
  }

  private List<@Nullable Object> column(TestColumn column, int count) {
    int nullPercent = NULL_PERCENTS[dice.between(0, NULL_PERCENTS.length - 1)];
    int distinct = DISTINCTS[dice.between(0, DISTINCTS.length - 1)];
    int run = RUNS[dice.between(0, RUNS.length - 1)];
    List<Object> known = new ArrayList<>();
    List<@Nullable Object> made = new ArrayList<>();
    while (made.size() < count) {
      Object value = known.size() < distinct ? values.of(column.type(), column.small()) : null;
      if (value != null && distinct < Integer.MAX_VALUE) {
        known.add(value);
      }
      Object chosen = value == null ? dice.one(known) : value;
      boolean isNull = dice.between(1, 100) <= nullPercent;
      for (int i = dice.between(1, run); i > 0; i--) {
        made.add(isNull ? null : chosen);
      }
    }
    return made.subList(0, count);
  }
}
