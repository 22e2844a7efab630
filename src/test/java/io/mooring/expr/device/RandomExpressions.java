package io.mooring.expr.device;

import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import org.apache.spark.sql.types.DataType;

/** Random expressions in SQL over the columns of {@link RandomValues}. */
final class RandomExpressions {
  private enum Kind {
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

  private static final List<Kind> NUMBERS =
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
  private static final List<String> UNITS =
      List.of("year", "quarter", "month", "week", "day", "hour", "minute", "second", "millisecond");
  private static final List<String> PATTERNS =
      List.of(
          "'a%'",
          "'%c'",
          "'%b%'",
          "'a%c'",
          "'a_c'",
          "'%a%c%'",
          "'_'",
          "'%_b_%'",
          "'a\\\\%c'",
          "'%\\\\_%'",
          "'%'",
          "'abc'",
          "'%ä%b'",
          "'__'",
          "'%abc'",
          "'%\\n%'");

  private static final List<String> REGEXES =
      List.of(
          "'^a'",
          "'c$'",
          "'b'",
          "'^[a-c]+$'",
          "'a.c'",
          "'^.{2,3}$'",
          "'[^a-c ]'",
          "'^\\\\d+$|x'",
          "'\\\\w\\\\.?\\\\w*-'",
          "'a{2}|^b*c'",
          "'[0-9_.]+,? '");

  private final Random random;

  RandomExpressions(Random random) {
    this.random = random;
  }

  /** An expression of any type. */
  String next() {
    return of(one(List.of(Kind.values())), 1 + random.nextInt(4));
  }

  private <T> T one(List<T> choices) {
    return choices.get(random.nextInt(choices.size()));
  }

  @SafeVarargs
  private String any(Supplier<String>... choices) {
    return choices[random.nextInt(choices.length)].get();
  }

  private String of(Kind kind, int depth) {
    if (depth == 0) {
      return random.nextInt(5) == 0 ? literal(kind) : column(kind);
    } else if (random.nextInt(4) == 0) {
      return conditional(kind, depth - 1);
    }
    int less = depth - 1;
    return switch (kind) {
      case BOOLEAN -> condition(less);
      case DATE -> date(less);
      case TIMESTAMP -> timestamp(less);
      case STRING -> text(less);
      default -> number(kind, less);
    };
  }

  private String column(Kind kind) {
    List<String> names =
        RandomValues.COLUMNS.entrySet().stream()
            .filter(column -> kind(column.getValue()) == kind)
            .map(column -> column.getKey())
            .toList();
    return one(names);
  }

  private static Kind kind(DataType type) {
    String name = type.typeName();
    return name.startsWith("decimal")
        ? Kind.DECIMAL
        : Kind.valueOf(name.equals("integer") ? "INT" : name.toUpperCase(java.util.Locale.ROOT));
  }

  private String literal(Kind kind) {
    int number = random.nextInt(9) - 4;
    return switch (kind) {
      case BOOLEAN -> any(() -> "true", () -> "false", () -> "cast(null as boolean)");
      case BYTE -> number + "Y";
      case SHORT -> number + "S";
      case INT -> any(() -> "" + number, () -> "2147483647", () -> "cast(null as int)");
      case LONG -> any(() -> number + "L", () -> "9223372036854775807L");
      case FLOAT -> any(() -> number + ".5F", () -> "float('NaN')", () -> "float('-0.0')");
      case DOUBLE -> any(() -> number + ".25D", () -> "double('NaN')", () -> "1e300D");
      case DECIMAL ->
          any(
              () -> number + ".5BD",
              () -> "1BD",
              () -> "0.00BD",
              () -> "99999999999999999999.99BD",
              () -> "0.000005BD");
      case DATE ->
          any(() -> "date'1998-09-02'", () -> "date'0001-01-01'", () -> "date'2024-02-29'");
      case TIMESTAMP ->
          any(
              () -> "timestamp'1969-12-31 23:59:59.999999'",
              () -> "timestamp'2024-02-29 12:34:56'");
      case STRING -> any(() -> "'abc'", () -> "''", () -> "' ä '", () -> "cast(null as string)");
    };
  }

  private String conditional(Kind kind, int depth) {
    Supplier<String> value = () -> of(kind, depth);
    Supplier<String> condition = () -> of(Kind.BOOLEAN, depth);
    return any(
        () ->
            "case when %s then %s when %s then %s else %s end"
                .formatted(condition.get(), value.get(), condition.get(), value.get(), value.get()),
        () -> "case when %s then %s end".formatted(condition.get(), value.get()),
        () -> "if(%s, %s, %s)".formatted(condition.get(), value.get(), value.get()),
        () -> "coalesce(%s, %s, %s)".formatted(value.get(), value.get(), value.get()),
        () -> "nullif(%s, %s)".formatted(value.get(), value.get()),
        () -> "nvl2(%s, %s, %s)".formatted(value.get(), value.get(), value.get()),
        () -> "greatest(%s, %s, %s)".formatted(value.get(), value.get(), value.get()),
        () -> "least(%s, %s)".formatted(value.get(), value.get()));
  }

  private String condition(int depth) {
    Kind kind = one(List.of(Kind.values()));
    Kind floating = random.nextBoolean() ? Kind.FLOAT : Kind.DOUBLE;
    String operator = one(List.of("=", "<", "<=", ">", ">=", "<>", "<=>"));
    return any(
        () -> "(%s %s %s)".formatted(of(kind, depth), operator, of(kind, depth)),
        () -> "(%s %s %s)".formatted(of(kind, depth), operator, literal(kind)),
        () -> "(%s and %s)".formatted(condition(depth), of(Kind.BOOLEAN, depth)),
        () -> "(%s or %s)".formatted(of(Kind.BOOLEAN, depth), condition(depth)),
        () -> "(not %s)".formatted(of(Kind.BOOLEAN, depth)),
        () -> "(%s is null)".formatted(of(kind, depth)),
        () -> "(%s is not null)".formatted(of(kind, depth)),
        () -> "(%s in (%s))".formatted(of(kind, depth), list(kind)),
        () -> "isnan(%s)".formatted(of(floating, depth)),
        () -> "(%s like %s)".formatted(of(Kind.STRING, depth), one(PATTERNS)),
        () -> "(%s rlike %s)".formatted(line(depth), one(REGEXES)),
        () -> "startswith(%s, 'a')".formatted(of(Kind.STRING, depth)),
        () -> "endswith(%s, 'c')".formatted(of(Kind.STRING, depth)),
        () -> "contains(%s, 'ä')".formatted(of(Kind.STRING, depth)),
        () -> "cast(%s as boolean)".formatted(of(one(NUMBERS), depth)));
  }

  /** Mostly without a line end. */
  private String line(int depth) {
    return any(
        () -> "(substring(c, 1, 1) || substring(c_tame, -1, 1))",
        () -> "(substring(c_tame, 1, 1) || %s || substring(c, -1, 1))".formatted(digits(depth)),
        () -> of(Kind.STRING, depth));
  }

  /** Mostly a number, or without a digit. */
  private String digits(int depth) {
    String number = "cast(%s as string)".formatted(of(one(NUMBERS.subList(0, 4)), depth));
    String other = one(List.of("'abc'", "''", "'-'", "'+'", "' '", "'+007'", "'300'", "'ä'"));
    return any(
        () -> number,
        () -> "if(%s, %s, %s)".formatted(of(Kind.BOOLEAN, depth), number, other),
        () -> of(Kind.STRING, depth));
  }

  private String list(Kind kind) {
    int size = 1 + random.nextInt(14);
    StringBuilder list = new StringBuilder(literal(kind));
    for (int i = 1; i < size; i++) {
      list.append(", ")
          .append(NUMBERS.contains(kind) && kind != Kind.FLOAT ? "" + i : literal(kind));
    }
    return list.toString();
  }

  private String number(Kind kind, int depth) {
    Supplier<String> same = () -> of(kind, depth);
    String operator = one(List.of("+", "-", "*", "%", "+", "-", "*"));
    return any(
        () -> "(%s %s %s)".formatted(same.get(), operator, same.get()),
        () -> "(%s %s %s)".formatted(same.get(), operator, same.get()),
        () -> "(%s %s %s)".formatted(same.get(), operator, literal(kind)),
        () -> "(%s %s %s)".formatted(literal(kind), operator, same.get()),
        () -> "pmod(%s, %s)".formatted(same.get(), same.get()),
        () -> "(- %s)".formatted(same.get()),
        () -> "abs(%s)".formatted(same.get()),
        () -> "cast(%s as %s)".formatted(of(one(NUMBERS), depth), name(kind)),
        () -> "cast(%s as %s)".formatted(of(one(NUMBERS), depth), name(kind)),
        () -> "try_add(%s, %s)".formatted(same.get(), same.get()),
        () ->
            "cast(cast(%s as %s) as %s)"
                .formatted(digits(depth), name(one(NUMBERS.subList(0, 4))), name(kind)),
        () -> special(kind, depth));
  }

  private String name(Kind kind) {
    return switch (kind) {
      case BYTE -> "tinyint";
      case SHORT -> "smallint";
      case INT -> "int";
      case LONG -> "bigint";
      case FLOAT -> "float";
      case DOUBLE -> "double";
      default -> one(DECIMALS);
    };
  }

  private String special(Kind kind, int depth) {
    return switch (kind) {
      case INT -> partOfDate(depth);
      case LONG ->
          any(
              () -> "(%s div %s)".formatted(of(Kind.LONG, depth), of(Kind.LONG, depth)),
              () -> "(%s div %s)".formatted(of(Kind.INT, depth), literal(Kind.INT)),
              () -> "floor(%s)".formatted(of(Kind.DOUBLE, depth)),
              () -> "ceil(%s)".formatted(of(Kind.DOUBLE, depth)));
      case DECIMAL ->
          any(
              () -> "(%s / %s)".formatted(of(kind, depth), of(kind, depth)),
              () -> "(%s / %s)".formatted(of(kind, depth), literal(Kind.DECIMAL)),
              () -> "round(%s, %d)".formatted(of(kind, depth), random.nextInt(4)),
              () -> "floor(%s)".formatted(of(kind, depth)),
              () -> "ceil(%s)".formatted(of(kind, depth)));
      case DOUBLE ->
          any(
              () -> "(%s / %s)".formatted(of(kind, depth), of(kind, depth)),
              () -> "nanvl(%s, %s)".formatted(of(kind, depth), of(kind, depth)));
      default -> of(kind, depth);
    };
  }

  private String partOfDate(int depth) {
    String part =
        one(
            List.of(
                "year",
                "quarter",
                "month",
                "day",
                "dayofweek",
                "weekday",
                "dayofyear",
                "weekofyear"));
    return any(
        () -> "%s(%s)".formatted(part, of(Kind.DATE, depth)),
        () -> "%s(%s)".formatted(part, of(Kind.TIMESTAMP, depth)),
        () ->
            "%s(%s)".formatted(one(List.of("hour", "minute", "second")), of(Kind.TIMESTAMP, depth)),
        () -> "datediff(%s, %s)".formatted(of(Kind.DATE, depth), of(Kind.DATE, depth)),
        () -> "length(%s)".formatted(of(Kind.STRING, depth)));
  }

  private String date(int depth) {
    Supplier<String> same = () -> of(Kind.DATE, depth);
    String days = one(List.of("i_tame", "7", "-400", "s", "i"));
    return any(
        () -> "date_add(%s, %s)".formatted(same.get(), days),
        () -> "date_sub(%s, %s)".formatted(same.get(), days),
        () -> "add_months(%s, %s)".formatted(same.get(), one(List.of("i_tame", "1", "-13", "y"))),
        () -> "last_day(%s)".formatted(same.get()),
        () -> "trunc(%s, '%s')".formatted(same.get(), UNITS.get(random.nextInt(4))),
        () -> "cast(%s as date)".formatted(of(Kind.TIMESTAMP, depth)));
  }

  private String timestamp(int depth) {
    return any(
        () -> "date_trunc('%s', %s)".formatted(one(UNITS), of(Kind.TIMESTAMP, depth)),
        () -> "cast(%s as timestamp)".formatted(of(Kind.DATE, depth)));
  }

  private String text(int depth) {
    Supplier<String> same = () -> of(Kind.STRING, depth);
    int place = random.nextInt(11) - 5;
    return any(
        () -> "substring(%s, %d, %d)".formatted(same.get(), place, random.nextInt(7) - 1),
        () -> "substring(%s, %d)".formatted(same.get(), place),
        () -> "(%s || %s)".formatted(same.get(), same.get()),
        () -> "concat(%s, 'x', %s)".formatted(same.get(), same.get()),
        () -> "upper(%s)".formatted(one(List.of("c_tame", "lower(c_tame)", same.get()))),
        () -> "%s(%s)".formatted(one(List.of("trim", "ltrim", "rtrim")), same.get()),
        () -> "cast(%s as string)".formatted(of(one(NUMBERS.subList(0, 4)), depth)),
        () -> "cast(%s as string)".formatted(of(Kind.BOOLEAN, depth)),
        () -> "cast(%s as string)".formatted(of(Kind.DATE, depth)));
  }
}
