package io.mooring.conformance;

import java.util.List;
import java.util.function.Predicate;
import org.apache.spark.sql.Row;
import org.jspecify.annotations.Nullable;

/**
 * A random table that queries can name.
 *
 * @param view its name
 * @param rows some of its rows, with the columns in this order
 */
record TestTable(String view, List<TestColumn> columns, List<Row> rows) {

  List<TestColumn> where(Predicate<TestColumn> condition) {
    return columns.stream().filter(condition).toList();
  }

  /** A constant of a column's type, mostly a value of the column. */
  String literal(Dice dice, TestColumn column) {
    @Nullable Object value = dice.one(rows).get(columns.indexOf(column));
    if (value == null && !dice.oneIn(6)) {
      value = new RandomValues(dice).of(column.type(), column.small());
    }
    return Literals.of(value, column.type());
  }
}
