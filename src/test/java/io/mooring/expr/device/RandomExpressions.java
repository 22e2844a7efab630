package io.mooring.expr.device;

import io.mooring.expr.device.RandomOperands.Kind;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;

/** Random expressions in SQL over the columns of {@link RandomValues}. */
final class RandomExpressions {
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

  private static final List<String> TIMES =
      List.of("'yyyy-MM-dd'", "'yyyyMMdd'", "'HH:mm:ss'", "'yyyy-MM-dd HH'", "'dd.MM.yyyy'");

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
  private final RandomChoices choices;
  private final RandomOperands operands;

  RandomExpressions(Random random) {
    this.random = random;
    this.choices = new RandomChoices(random);
    this.operands = new RandomOperands(choices);
  }

  /** An expression of any type. */
  String next() {
    return of(choices.one(List.of(Kind.values())), 1 + random.nextInt(4));
  }

  private String of(Kind kind, int depth) {
    if (depth == 0) {
      return random.nextInt(5) == 0 ? operands.literal(kind) : operands.column(kind);
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

  private String conditional(Kind kind, int depth) {
    Supplier<String> value = () -> of(kind, depth);
    Supplier<String> condition = () -> of(Kind.BOOLEAN, depth);
    return choices.any(
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
    Kind kind = choices.one(List.of(Kind.values()));
    Kind floating = random.nextBoolean() ? Kind.FLOAT : Kind.DOUBLE;
    String operator = choices.one(List.of("=", "<", "<=", ">", ">=", "<>", "<=>"));
    return choices.any(
        () -> "(%s %s %s)".formatted(of(kind, depth), operator, of(kind, depth)),
        () -> "(%s %s %s)".formatted(of(kind, depth), operator, operands.literal(kind)),
        () -> "(%s and %s)".formatted(condition(depth), of(Kind.BOOLEAN, depth)),
        () -> "(%s or %s)".formatted(of(Kind.BOOLEAN, depth), condition(depth)),
        () -> "(not %s)".formatted(of(Kind.BOOLEAN, depth)),
        () -> "(%s is null)".formatted(of(kind, depth)),
        () -> "(%s is not null)".formatted(of(kind, depth)),
        () -> "(%s in (%s))".formatted(of(kind, depth), operands.list(kind)),
        () -> "isnan(%s)".formatted(of(floating, depth)),
        () -> "(%s like %s)".formatted(of(Kind.STRING, depth), choices.one(PATTERNS)),
        () -> "(%s rlike %s)".formatted(line(depth), choices.one(REGEXES)),
        () -> "startswith(%s, 'a')".formatted(of(Kind.STRING, depth)),
        () -> "endswith(%s, 'c')".formatted(of(Kind.STRING, depth)),
        () -> "contains(%s, 'ä')".formatted(of(Kind.STRING, depth)),
        () -> "cast(%s as boolean)".formatted(of(choices.one(RandomOperands.NUMBERS), depth)));
  }

  /** Mostly without a line end. */
  private String line(int depth) {
    return choices.any(
        () -> "(substring(c, 1, 1) || substring(c_tame, -1, 1))",
        () -> "(substring(c_tame, 1, 1) || %s || substring(c, -1, 1))".formatted(digits(depth)),
        () -> of(Kind.STRING, depth));
  }

  /** Mostly a number, or without a digit. */
  private String digits(int depth) {
    String number =
        "cast(%s as string)"
            .formatted(of(choices.one(RandomOperands.NUMBERS.subList(0, 4)), depth));
    String other =
        choices.one(List.of("'abc'", "''", "'-'", "'+'", "' '", "'+007'", "'300'", "'ä'"));
    return choices.any(
        () -> number,
        () -> "if(%s, %s, %s)".formatted(of(Kind.BOOLEAN, depth), number, other),
        () -> of(Kind.STRING, depth));
  }

  private String number(Kind kind, int depth) {
    Supplier<String> same = () -> of(kind, depth);
    String operator = choices.one(List.of("+", "-", "*", "%", "+", "-", "*"));
    return choices.any(
        () -> "(%s %s %s)".formatted(same.get(), operator, same.get()),
        () -> "(%s %s %s)".formatted(same.get(), operator, same.get()),
        () -> "(%s %s %s)".formatted(same.get(), operator, operands.literal(kind)),
        () -> "(%s %s %s)".formatted(operands.literal(kind), operator, same.get()),
        () -> "pmod(%s, %s)".formatted(same.get(), same.get()),
        () -> "(- %s)".formatted(same.get()),
        () -> "abs(%s)".formatted(same.get()),
        () ->
            "cast(%s as %s)"
                .formatted(of(choices.one(RandomOperands.NUMBERS), depth), operands.type(kind)),
        () ->
            "cast(%s as %s)"
                .formatted(of(choices.one(RandomOperands.NUMBERS), depth), operands.type(kind)),
        () -> "try_add(%s, %s)".formatted(same.get(), same.get()),
        () ->
            "cast(cast(%s as %s) as %s)"
                .formatted(
                    digits(depth),
                    operands.type(choices.one(RandomOperands.NUMBERS.subList(0, 4))),
                    operands.type(kind)),
        () -> special(kind, depth));
  }

  private String bits(Kind kind, int depth) {
    String operator = choices.one(List.of("&", "|", "^"));
    boolean wide = kind == Kind.INT || kind == Kind.LONG;
    return wide && random.nextInt(3) == 0
        ? "%s(%s, %d)"
            .formatted(
                choices.one(List.of("shiftleft", "shiftright")),
                of(kind, depth),
                random.nextInt(140) - 70)
        : "(%s %s %s)".formatted(of(kind, depth), operator, of(kind, depth));
  }

  private String special(Kind kind, int depth) {
    return switch (kind) {
      case BYTE, SHORT -> bits(kind, depth);
      case INT -> choices.any(() -> partOfDate(depth), () -> bits(kind, depth));
      case LONG ->
          choices.any(
              () ->
                  "unix_%s(%s)"
                      .formatted(
                          choices.one(List.of("seconds", "millis", "micros", "timestamp")),
                          of(Kind.TIMESTAMP, depth)),
              () -> "unix_timestamp(%s)".formatted(of(Kind.DATE, depth)),
              () -> "cast(%s as bigint)".formatted(of(Kind.TIMESTAMP, depth)),
              () -> bits(kind, depth),
              () -> "(%s div %s)".formatted(of(Kind.LONG, depth), of(Kind.LONG, depth)),
              () -> "(%s div %s)".formatted(of(Kind.INT, depth), operands.literal(Kind.INT)),
              () -> "floor(%s)".formatted(of(Kind.DOUBLE, depth)),
              () -> "ceil(%s)".formatted(of(Kind.DOUBLE, depth)));
      case DECIMAL ->
          choices.any(
              () -> "(%s / %s)".formatted(of(kind, depth), of(kind, depth)),
              () -> "(%s / %s)".formatted(of(kind, depth), operands.literal(Kind.DECIMAL)),
              () -> "round(%s, %d)".formatted(of(kind, depth), random.nextInt(4)),
              () -> "floor(%s)".formatted(of(kind, depth)),
              () -> "ceil(%s)".formatted(of(kind, depth)));
      case DOUBLE ->
          choices.any(
              () -> "(%s / %s)".formatted(of(kind, depth), of(kind, depth)),
              () -> "round(%s, %d)".formatted(of(kind, depth), random.nextInt(5)),
              () -> "sqrt(%s)".formatted(of(kind, depth)),
              () -> "nanvl(%s, %s)".formatted(of(kind, depth), of(kind, depth)));
      default -> of(kind, depth);
    };
  }

  private String partOfDate(int depth) {
    String part =
        choices.one(
            List.of(
                "year",
                "quarter",
                "month",
                "day",
                "dayofweek",
                "weekday",
                "dayofyear",
                "weekofyear"));
    return choices.any(
        () -> "%s(%s)".formatted(part, of(Kind.DATE, depth)),
        () -> "%s(%s)".formatted(part, of(Kind.TIMESTAMP, depth)),
        () ->
            "%s(%s)"
                .formatted(
                    choices.one(List.of("hour", "minute", "second")), of(Kind.TIMESTAMP, depth)),
        () -> "datediff(%s, %s)".formatted(of(Kind.DATE, depth), of(Kind.DATE, depth)),
        () -> "unix_date(%s)".formatted(of(Kind.DATE, depth)),
        () -> "cast(%s as int)".formatted(of(Kind.TIMESTAMP, depth)),
        () -> "length(%s)".formatted(of(Kind.STRING, depth)),
        () -> "octet_length(%s)".formatted(of(Kind.STRING, depth)),
        () -> "instr(%s, %s)".formatted(of(Kind.STRING, depth), part()),
        () -> "locate(%s, %s)".formatted(part(), of(Kind.STRING, depth)));
  }

  private String date(int depth) {
    Supplier<String> same = () -> of(Kind.DATE, depth);
    String days = choices.one(List.of("i_tame", "7", "-400", "s", "i"));
    return choices.any(
        () -> "date_add(%s, %s)".formatted(same.get(), days),
        () -> "date_sub(%s, %s)".formatted(same.get(), days),
        () ->
            "add_months(%s, %s)"
                .formatted(same.get(), choices.one(List.of("i_tame", "1", "-13", "y"))),
        () -> "last_day(%s)".formatted(same.get()),
        () -> "trunc(%s, '%s')".formatted(same.get(), UNITS.get(random.nextInt(4))),
        () -> "cast(%s as date)".formatted(of(Kind.TIMESTAMP, depth)),
        () -> "cast(%s as date)".formatted(time(depth)),
        () -> "date_from_unix_date(%s)".formatted(choices.one(List.of("i_tame", "s", "y"))));
  }

  /** A string that is mostly a time, or has no digit. */
  private String time(int depth) {
    String day = choices.one(List.of("i_tame", "abs(i_tame) + 10", "12", "29"));
    String other = choices.one(List.of("''", "'abc'", "'-'", "null", "'2024-02-30'", "'x'"));
    return choices.any(
        () -> "cast(%s as string)".formatted(of(Kind.TIMESTAMP, depth)),
        () -> "cast(%s as string)".formatted(of(Kind.DATE, depth)),
        () -> "concat('2023-02-', cast(%s as string))".formatted(day),
        () -> "concat('2024-03-31T02:', cast(abs(i_tame) + 40 as string), ':07.5')",
        () -> "concat('2021-11-07 01:30:', cast(abs(i_tame) + 10 as string))",
        () ->
            "if(%s, %s, cast(%s as string))"
                .formatted(of(Kind.BOOLEAN, depth), other, of(Kind.DATE, depth)),
        () -> "date_format(%s, 'yyyy-MM-dd')".formatted(of(Kind.TIMESTAMP, depth)));
  }

  private String timestamp(int depth) {
    String unit = choices.one(List.of("seconds", "millis", "micros"));
    String number = choices.one(List.of("i", "s_tame", "l", "i_tame"));
    return choices.any(
        () -> "timestamp_%s(%s)".formatted(unit, number),
        () -> "cast(%s as timestamp)".formatted(choices.one(List.of("i", "s", "l_tame", "l"))),
        () -> "cast(%s as timestamp)".formatted(time(depth)),
        () -> "date_trunc('%s', %s)".formatted(choices.one(UNITS), of(Kind.TIMESTAMP, depth)),
        () -> "cast(%s as timestamp)".formatted(of(Kind.DATE, depth)));
  }

  private String sign() {
    return choices.one(List.of("", "-", ", ", "ä", "ab"));
  }

  private String part() {
    return choices.one(List.of("'a'", "'bc'", "' '", "'ä'", "'abcab'", "'%'"));
  }

  private String text(int depth) {
    Supplier<String> same = () -> of(Kind.STRING, depth);
    int place = random.nextInt(11) - 5;
    return choices.any(
        () -> "substring(%s, %d, %d)".formatted(same.get(), place, random.nextInt(7) - 1),
        () -> "substring(%s, %d)".formatted(same.get(), place),
        () -> "(%s || %s)".formatted(same.get(), same.get()),
        () -> "concat(%s, 'x', %s)".formatted(same.get(), same.get()),
        () -> "concat_ws('%s', %s, %s)".formatted(sign(), same.get(), same.get()),
        () -> "concat_ws('', %s)".formatted(same.get()),
        () -> "reverse(%s)".formatted(same.get()),
        () -> "replace(%s, %s, '%s')".formatted(same.get(), part(), sign()),
        () ->
            "%s(%s, %d, '%s')"
                .formatted(
                    choices.one(List.of("lpad", "rpad")),
                    same.get(),
                    random.nextInt(14) - 2,
                    choices.one(List.of("0", " ", "x"))),
        () -> "upper(%s)".formatted(choices.one(List.of("c_tame", "lower(c_tame)", same.get()))),
        () -> "%s(%s)".formatted(choices.one(List.of("trim", "ltrim", "rtrim")), same.get()),
        () ->
            "cast(%s as string)"
                .formatted(of(choices.one(RandomOperands.NUMBERS.subList(0, 4)), depth)),
        () -> "cast(%s as string)".formatted(of(Kind.BOOLEAN, depth)),
        () -> "cast(%s as string)".formatted(of(Kind.DATE, depth)),
        () -> "cast(%s as string)".formatted(of(Kind.TIMESTAMP, depth)),
        () -> "date_format(%s, %s)".formatted(of(Kind.TIMESTAMP, depth), choices.one(TIMES)),
        () ->
            "from_unixtime(%s, %s)"
                .formatted(choices.one(List.of("l_tame", "i", "s")), choices.one(TIMES)));
  }
}
