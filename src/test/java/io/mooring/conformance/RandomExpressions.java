package io.mooring.conformance;

import java.util.List;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.StructType;

/** Random values over the columns of one table that do not fail, also where ANSI mode is on. */
final class RandomExpressions {
  private final Dice dice;
  private final TestTable table;
  private final String prefix;

  /**
   * @param alias of the table in the query
   */
  RandomExpressions(Dice dice, TestTable table, String alias) {
    this.dice = dice;
    this.table = table;
    this.prefix = alias + ".";
  }

  String column(TestColumn column) {
    return prefix + column.sql();
  }

  /** A column or something made of it, of any type. */
  String value() {
    TestColumn column = dice.one(table.columns());
    return dice.oneIn(3) ? derived(column, 2) : column(column);
  }

  /** Something made of a column. */
  private String derived(TestColumn column, int depth) {
    if (column.isNumber()) {
      return number(column, depth);
    } else if (column.is(DataTypes.StringType)) {
      return text(column);
    } else if (column.is(DataTypes.DateType)) {
      return date(column);
    } else if (column.is(DataTypes.TimestampType)) {
      return timestamp(column);
    }
    return column.isNested() ? part(column) : chosen(column);
  }

  /** An expression of the same type, by conditions. */
  private String chosen(TestColumn column) {
    String name = column(column);
    String other = column.isNested() ? "null" : table.literal(dice, column);
    String condition = new RandomPredicates(dice, table, this).simple();
    return dice.any(
        () -> "coalesce(" + name + ", " + other + ")",
        () -> "if(" + condition + ", " + name + ", " + other + ")",
        () -> "case when " + condition + " then " + name + " end",
        () -> "nvl2(" + name + ", " + other + ", " + name + ")");
  }

  private String number(TestColumn column, int depth) {
    if (!column.small()) {
      return dice.any(
          () -> chosen(column),
          () -> column(column) + " is null",
          () -> "cast(" + column(column) + " as double) * 0.5D",
          () -> "cast(" + column(column) + " as string)");
    }
    String inner = depth > 0 ? smallNumber(depth - 1) : column(column);
    return dice.any(
        () -> chosen(column),
        () -> column(column) + dice.one(" + ", " - ", " * ") + inner,
        () -> "-" + column(column),
        () -> "abs(" + column(column) + ")",
        () -> column(column) + " % 7",
        () -> "greatest(" + column(column) + ", " + inner + ")",
        () ->
            "cast("
                + column(column)
                + " as "
                + dice.one("double", "decimal(20, 6)", "string")
                + ")");
  }

  /**
   * A number whose arithmetic neither overflows nor rounds. Decimals are left out, because they
   * would round as doubles.
   */
  String smallNumber(int depth) {
    TestColumn column = dice.one(table.where(it -> it.small() && !it.isDecimal()));
    return switch (dice.between(0, depth > 0 ? 3 : 1)) {
      case 0 -> column(column);
      case 1 -> String.valueOf(dice.between(-20, 20));
      case 2 -> "cast(" + column(column) + " as double)";
      default -> "(" + column(column) + dice.one(" + ", " - ") + smallNumber(depth - 1) + ")";
    };
  }

  private String text(TestColumn column) {
    String name = column(column);
    return dice.any(
        () -> chosen(column),
        () -> dice.one("upper(", "lower(", "trim(", "reverse(", "length(", "ascii(") + name + ")",
        () -> "substring(" + name + ", " + dice.between(-3, 3) + ", 2)",
        () -> name + " || '-' || " + name,
        () -> "substring_index(" + name + ", 'a', " + dice.between(-2, 2) + ")",
        () -> "translate(" + name + ", 'abc', 'b')",
        () -> "repeat(" + name + ", " + dice.between(0, 3) + ")",
        () -> "concat_ws(',', " + name + ", 'x')",
        () -> "try_cast(" + name + " as " + dice.one("int", "decimal(12, 3)") + ")",
        () -> "cast(" + name + " as binary)");
  }

  private String date(TestColumn column) {
    String name = column(column);
    return dice.any(
        () -> chosen(column),
        () -> dice.one("year(", "month(", "dayofweek(", "quarter(", "last_day(") + name + ")",
        () -> "date_add(" + name + ", " + dice.between(-40, 40) + ")",
        () -> "datediff(" + name + ", date'2000-02-29')",
        () -> "cast(" + name + " as string)",
        () -> "trunc(" + name + ", 'MM')");
  }

  private String timestamp(TestColumn column) {
    String name = column(column);
    return dice.any(
        () -> chosen(column),
        () -> dice.one("hour(", "minute(", "unix_micros(", "to_date(", "year(") + name + ")",
        () -> "date_trunc('" + dice.one("hour", "day", "month") + "', " + name + ")",
        () -> name + " + interval 90 minutes",
        () -> "cast(" + name + " as date)");
  }

  /** Part of a nested value. */
  String part(TestColumn column) {
    String name = column(column);
    if (column.type() instanceof StructType struct) {
      return name + "." + dice.one(List.of(struct.fieldNames()));
    } else if (column.type() instanceof ArrayType) {
      return dice.any(
          () -> "get(" + name + ", " + dice.between(0, 3) + ")", () -> "size(" + name + ")");
    } else if (column.type() instanceof MapType) {
      return dice.any(() -> name + "['a']", () -> "map_keys(" + name + ")");
    }
    return name;
  }

  /** Something that can fail in ANSI mode, in one way only. */
  String risky() {
    TestColumn number = dice.one(table.where(TestColumn::isNumber));
    TestColumn text = dice.one(table.where(column -> column.is(DataTypes.StringType)));
    TestColumn integer = dice.one(table.where(TestColumn::isInteger));
    return dice.any(
        () ->
            "cast("
                + column(text)
                + " as "
                + dice.one("int", "date", "double", "boolean", "decimal(5, 2)")
                + ")",
        () -> "cast(" + column(number) + " as " + dice.one("tinyint", "decimal(3, 1)") + ")",
        () -> "1 / " + column(number),
        () -> column(integer) + " % " + column(integer),
        () -> "cast(" + column(integer) + " as bigint) * 9223372036854775807L",
        () -> "array(1, 2)[abs(cast(hash(" + column(text) + ") % 3 as int))]");
  }
}
