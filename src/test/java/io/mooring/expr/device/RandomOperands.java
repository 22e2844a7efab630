package io.mooring.expr.device;

import java.util.List;
import org.apache.spark.sql.types.DataType;

/**
 * What random expressions are over: columns of {@link RandomValues}, literals, and names of types.
 */
final class RandomOperands {
  /** Types that an expression may have in the place of each other. */
  enum Kind {
    BOOLEAN,
    BYTE,
    SHORT,
    INT,
    LONG,
    FLOAT,
    DOUBLE,
    DECIMAL,
    DATE,
    TIMESTAMP,
    STRING
  }

  static final List<Kind> NUMBERS =
      List.of(Kind.BYTE, Kind.SHORT, Kind.INT, Kind.LONG, Kind.FLOAT, Kind.DOUBLE, Kind.DECIMAL);
  private static final List<String> DECIMALS =
      List.of(
          "decimal(3,1)",
          "decimal(7,2)",
          "decimal(10,0)",
          "decimal(17,2)",
          "decimal(18,6)",
          "decimal(20,10)",
          "decimal(38,0)",
          "decimal(38,18)");

  private final RandomChoices choices;

  RandomOperands(RandomChoices choices) {
    this.choices = choices;
  }

  /** A column of a kind. */
  String column(Kind kind) {
    List<String> names =
        RandomValues.COLUMNS.entrySet().stream()
            .filter(column -> kind(column.getValue()) == kind)
            .map(column -> column.getKey())
            .toList();
    return choices.one(names);
  }

  private static Kind kind(DataType type) {
    String name = type.typeName();
    return name.startsWith("decimal")
        ? Kind.DECIMAL
        : Kind.valueOf(name.equals("integer") ? "INT" : name.toUpperCase(java.util.Locale.ROOT));
  }

  /** A value of a kind. */
  String literal(Kind kind) {
    int number = choices.random().nextInt(9) - 4;
    return switch (kind) {
      case BOOLEAN -> choices.any(() -> "true", () -> "false", () -> "cast(null as boolean)");
      case BYTE -> number + "Y";
      case SHORT -> number + "S";
      case INT -> choices.any(() -> "" + number, () -> "2147483647", () -> "cast(null as int)");
      case LONG -> choices.any(() -> number + "L", () -> "9223372036854775807L");
      case FLOAT -> choices.any(() -> number + ".5F", () -> "float('NaN')", () -> "float('-0.0')");
      case DOUBLE -> choices.any(() -> number + ".25D", () -> "double('NaN')", () -> "1e300D");
      case DECIMAL ->
          choices.any(
              () -> number + ".5BD",
              () -> "1BD",
              () -> "0.00BD",
              () -> "99999999999999999999.99BD",
              () -> "0.000005BD");
      case DATE ->
          choices.any(() -> "date'1998-09-02'", () -> "date'0001-01-01'", () -> "date'2024-02-29'");
      case TIMESTAMP ->
          choices.any(
              () -> "timestamp'1969-12-31 23:59:59.999999'",
              () -> "timestamp'2024-02-29 12:34:56'");
      case STRING ->
          choices.any(() -> "'abc'", () -> "''", () -> "' ä '", () -> "cast(null as string)");
    };
  }

  /** Values of a kind, as IN has them. */
  String list(Kind kind) {
    int size = 1 + choices.random().nextInt(14);
    StringBuilder list = new StringBuilder(literal(kind));
    for (int i = 1; i < size; i++) {
      list.append(", ")
          .append(NUMBERS.contains(kind) && kind != Kind.FLOAT ? "" + i : literal(kind));
    }
    return list.toString();
  }

  /** The name of a type of a kind of number. */
  String type(Kind kind) {
    return switch (kind) {
      case BYTE -> "tinyint";
      case SHORT -> "smallint";
      case INT -> "int";
      case LONG -> "bigint";
      case FLOAT -> "float";
      case DOUBLE -> "double";
      default -> choices.one(DECIMALS);
    };
  }
}
