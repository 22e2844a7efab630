package io.mooring.conformance;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Period;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Predicate;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.DataType;
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

  /** Values as constants of SQL. */
  private static final class Literals {
    private Literals() {}

    /** A constant of exactly this type; no nested ones. */
    static String of(@Nullable Object value, DataType type) {
      if (value == null) {
        return "cast(null as " + type.sql() + ")";
      }
      String text = value.toString();
      return switch (type.typeName()) {
        case "boolean", "integer" -> text;
        case "byte" -> text + "Y";
        case "short" -> text + "S";
        case "long" -> text + "L";
        case "float", "double" -> type.typeName() + "('" + text + "')";
        case "string" -> text(text);
        case "binary" -> "X'" + HexFormat.of().formatHex((byte[]) value) + "'";
        case "date", "timestamp", "timestamp_ntz" -> type.typeName() + "'" + text + "'";
        default -> other(value, type);
      };
    }

    private static String other(Object value, DataType type) {
      if (value instanceof BigDecimal decimal) {
        return "cast('" + decimal.toPlainString() + "' as " + type.sql() + ")";
      } else if (value instanceof Period period) {
        return "make_ym_interval(0, " + period.toTotalMonths() + ")";
      } else if (value instanceof Duration span) {
        long micros = span.getNano() / 1_000;
        return "make_dt_interval(0, 0, 0, "
            + span.getSeconds()
            + ".0) + make_dt_interval(0, 0, 0, "
            + BigDecimal.valueOf(micros, 6).toPlainString()
            + ")";
      }
      throw new IllegalArgumentException(type.sql());
    }

    /** Bytes rather than escapes where the text has any. */
    static String text(String text) {
      boolean plain = text.chars().allMatch(c -> c >= ' ' && c != '\'' && c != '\\');
      return plain
          ? "'" + text + "'"
          : "cast(X'"
              + HexFormat.of().formatHex(text.getBytes(StandardCharsets.UTF_8))
              + "' as string)";
    }
  }
}
