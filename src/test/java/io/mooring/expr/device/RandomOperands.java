package io.mooring.expr.device;

import java.util.ArrayList;
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
          "decimal(19,18)",
          "decimal(38,37)",
          "decimal(38,0)",
          "decimal(38,18)");

  private static final List<String> DATES =
      List.of(
          "date'1998-09-02'",
          "date'0001-01-01'",
          "date'2024-02-29'",
          "date'9999-12-31'",
          "date'1582-10-10'");
  // The second and the third are skipped or repeated in zones of America and Europe.
  private static final List<String> TIMESTAMPS =
      List.of(
          "timestamp'1969-12-31 23:59:59.999999'",
          "timestamp'2024-03-10 02:30:00'",
          "timestamp'2024-10-27 02:30:00'",
          "timestamp'2024-02-29 12:34:56'",
          "timestamp'0001-01-01 00:00:00'",
          "timestamp'9999-12-31 23:59:59.999999'");
  private static final List<String> TEXTS =
      List.of(
          "'abc'", "''", "' ä '", "cast(null as string)", "'abc '", "'𝄞clef'", "'a%c'", "'100'");

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
      case INT ->
          choices.any(
              () -> "" + number,
              () -> "2147483647",
              () -> "-2147483648",
              () -> "cast(null as int)");
      case LONG ->
          choices.any(
              () -> number + "L", () -> "9223372036854775807L", () -> "-9223372036854775808L");
      case FLOAT ->
          choices.any(
              () -> number + ".5F",
              () -> "float('NaN')",
              () -> "float('-0.0')",
              () -> "float('-Infinity')");
      case DOUBLE ->
          choices.any(
              () -> number + ".25D",
              () -> "double('NaN')",
              () -> "1e300D",
              () -> "double('-0.0')",
              () -> "double('Infinity')");
      case DECIMAL ->
          choices.any(
              () -> number + ".5BD",
              () -> "1BD",
              () -> "0.00BD",
              () -> "99999999999999999999.99BD",
              () -> "0.000005BD",
              () -> "-99999999999999999999999999999999999999BD",
              () -> "0.00000000000000000000000000000000000005BD",
              () -> "cast(null as decimal(38,37))");
      case DATE -> choices.one(DATES);
      case TIMESTAMP -> choices.one(TIMESTAMPS);
      case STRING -> choices.one(TEXTS);
    };
  }

  /** Values of a kind, as IN has them. */
  String list(Kind kind) {
    int size = 1 + choices.random().nextInt(14);
    List<String> list = new ArrayList<>(List.of(literal(kind)));
    for (int i = 1; i < size; i++) {
      list.add(listed(kind, i));
    }
    return String.join(", ", list);
  }

  /** A literal that differs from others, so that a long list stays long. */
  private String listed(Kind kind, int i) {
    return switch (kind) {
      case BYTE, SHORT, INT, LONG, DOUBLE, DECIMAL -> "" + (i - 3);
      case DATE -> "date'2000-01-%d'".formatted(i + 10);
      case TIMESTAMP -> "timestamp'2000-01-01 00:00:%d.5'".formatted(i + 10);
      case STRING -> choices.any(() -> "'" + "abc".repeat(i) + "'", () -> literal(kind));
      default -> literal(kind);
    };
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
