package io.mooring.conformance;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.types.DataTypes;

/** Random conditions over one table, of which a scan can take some, that do not fail. */
final class RandomPredicates {
  private static final String[] OPERATORS = {"=", "<>", "<", "<=", ">", ">=", "<=>"};
  private static final int MOST_IN_LIST = 14;

  private final Dice dice;
  private final TestTable table;
  private final RandomExpressions values;

  RandomPredicates(Dice dice, TestTable table, RandomExpressions values) {
    this.dice = dice;
    this.table = table;
    this.values = values;
  }

  /** Joined by AND, OR and NOT to some depth. */
  String next(int depth) {
    if (depth == 0 || dice.oneIn(3)) {
      return simple();
    }
    return switch (dice.between(0, 3)) {
      case 0, 1 -> "(" + next(depth - 1) + " and " + next(depth - 1) + ")";
      case 2 -> "(" + next(depth - 1) + " or " + next(depth - 1) + ")";
      default -> "not (" + next(depth - 1) + ")";
    };
  }

  /** On one column, or two. */
  String simple() {
    TestColumn column = dice.one(table.columns());
    if (column.isNested()) {
      return values.part(column) + nullness();
    }
    return dice.any(
        () -> compared(column),
        () -> compared(column),
        () -> list(column),
        () -> values.column(column) + nullness(),
        () -> between(column),
        () -> typed(column),
        () -> typed(column));
  }

  private String nullness() {
    return dice.one(" is null", " is not null");
  }

  private String compared(TestColumn column) {
    List<TestColumn> alike = table.where(other -> other.type().equals(column.type()));
    String right = dice.oneIn(4) ? values.column(dice.one(alike)) : table.literal(dice, column);
    String left = values.column(column);
    String operator = " " + dice.one(OPERATORS) + " ";
    return dice.oneIn(5) ? right + operator + left : left + operator + right;
  }

  private String list(TestColumn column) {
    List<String> literals = new ArrayList<>();
    int count = dice.between(1, MOST_IN_LIST);
    for (int i = 0; i < count; i++) {
      literals.add(table.literal(dice, column));
    }
    return values.column(column)
        + dice.one(" in (", " in (", " not in (")
        + String.join(", ", literals)
        + ")";
  }

  private String between(TestColumn column) {
    return values.column(column)
        + dice.one(" between ", " not between ")
        + table.literal(dice, column)
        + " and "
        + table.literal(dice, column);
  }

  /** What only values of this type are asked. */
  private String typed(TestColumn column) {
    String name = values.column(column);
    if (column.isNumber()) {
      return number(column);
    } else if (column.is(DataTypes.StringType)) {
      return text(name);
    } else if (column.is(DataTypes.DateType)) {
      return dice.any(
          () -> "year(" + name + ") " + dice.one(OPERATORS) + " " + dice.between(1900, 2050),
          () -> "date_add(" + name + ", 3) > date'1999-12-31'",
          () -> name + " < timestamp'2001-01-01 12:00:00'");
    } else if (column.is(DataTypes.TimestampType)) {
      return dice.any(
          () -> "cast(" + name + " as date) " + dice.one(OPERATORS) + " date'1999-12-31'",
          () -> "hour(" + name + ") in (1, 2, 3)",
          () -> name + " >= date'2000-01-01'");
    } else if (column.is(DataTypes.BooleanType)) {
      return name;
    }
    return name + nullness();
  }

  private String number(TestColumn column) {
    String name = values.column(column);
    String operator = " " + dice.one(OPERATORS) + " ";
    TestColumn other = dice.one(table.where(TestColumn::isNumber));
    return dice.any(
        () -> name + operator + dice.between(-50, 50),
        () -> name + operator + dice.one("0.0D", "-0.0D", "double('NaN')", "float('-0.0')", "1.5"),
        () -> name + operator + values.column(other),
        () -> "cast(" + name + " as double) * 2.0D" + operator + "17.5D",
        () -> "float(" + name + ") + float(0.5)" + operator + "float(3.25)",
        () -> values.smallNumber(2) + operator + values.smallNumber(1),
        () -> "case when " + name + " > 3 then 1 when " + name + " < 0 then 2 end" + operator + 1);
  }

  private String text(String name) {
    String pattern = dice.one("a", "b", "", "1", "é", "😀", "_", "x");
    return dice.any(
        () -> name + " like '" + pattern + "%'",
        () -> name + dice.one(" like '%", " not like '%") + pattern + "'",
        () -> name + " like '%" + pattern + "%'",
        () -> name + " like '" + pattern + "%" + pattern + "'",
        () -> name + " rlike '[a-c]" + "+'",
        () -> "length(" + name + ") " + dice.one(OPERATORS) + " " + dice.between(0, 6),
        () -> "startswith(" + name + ", '" + pattern + "')",
        () -> "upper(" + name + ") = 'A'",
        () -> name + " = ''",
        () -> "substring(" + name + ", 1, 1) in ('a', 'b', null)");
  }
}
