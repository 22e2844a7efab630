package io.mooring.expr.device;

import io.mooring.expr.device.RandomOperands.Kind;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;

/** Random expressions in SQL whose values are dates or timestamps. */
final class RandomTimes {
  private static final List<String> UNITS =
      List.of("year", "quarter", "month", "week", "day", "hour", "minute", "second", "millisecond");
  private static final List<String> SHORT_UNITS = List.of("YY", "yyyy", "mon", "MM", "Week");

  private final Random random;
  private final RandomExpressions expressions;
  private final RandomChoices choices;

  RandomTimes(Random random, RandomExpressions expressions, RandomChoices choices) {
    this.random = random;
    this.expressions = expressions;
    this.choices = choices;
  }

  String date(int depth) {
    Supplier<String> same = () -> expressions.of(Kind.DATE, depth);
    String days = choices.one(List.of("i_tame", "7", "-400", "s", "i"));
    return choices.any(
        () -> "date_add(%s, %s)".formatted(same.get(), days),
        () -> "date_sub(%s, %s)".formatted(same.get(), days),
        () ->
            "add_months(%s, %s)"
                .formatted(same.get(), choices.one(List.of("i_tame", "1", "-13", "y"))),
        () -> "last_day(%s)".formatted(same.get()),
        () -> "trunc(%s, '%s')".formatted(same.get(), UNITS.get(random.nextInt(4))),
        () -> "trunc(%s, '%s')".formatted(same.get(), choices.one(SHORT_UNITS)),
        () -> "cast(%s as date)".formatted(expressions.of(Kind.TIMESTAMP, depth)),
        () -> "cast(%s as date)".formatted(time(depth)),
        () -> "date_from_unix_date(%s)".formatted(choices.one(List.of("i_tame", "s", "y"))));
  }

  String timestamp(int depth) {
    String unit = choices.one(List.of("seconds", "millis", "micros"));
    String number = choices.one(List.of("i", "s_tame", "l", "i_tame"));
    return choices.any(
        () -> "timestamp_%s(%s)".formatted(unit, number),
        () -> "cast(%s as timestamp)".formatted(choices.one(List.of("i", "s", "l_tame", "l"))),
        () -> "cast(%s as timestamp)".formatted(time(depth)),
        () ->
            "date_trunc('%s', %s)"
                .formatted(choices.one(UNITS), expressions.of(Kind.TIMESTAMP, depth)),
        () ->
            "date_trunc('%s', %s)"
                .formatted(
                    random.nextBoolean() ? choices.one(SHORT_UNITS) : "microsecond",
                    expressions.of(Kind.TIMESTAMP, depth)),
        () -> "cast(%s as timestamp)".formatted(expressions.of(Kind.DATE, depth)));
  }

  /** A string that is mostly a time, or has no digit. */
  private String time(int depth) {
    String day = choices.one(List.of("i_tame", "abs(i_tame) + 10", "12", "29"));
    String other = choices.one(List.of("''", "'abc'", "'-'", "null", "'2024-02-30'", "'x'"));
    return choices.any(
        () -> "cast(%s as string)".formatted(expressions.of(Kind.TIMESTAMP, depth)),
        () -> "cast(%s as string)".formatted(expressions.of(Kind.DATE, depth)),
        () -> "concat('2023-02-', cast(%s as string))".formatted(day),
        () -> "concat('2024-03-31T02:', cast(abs(i_tame) + 40 as string), ':07.5')",
        () -> "concat('2021-11-07 01:30:', cast(abs(i_tame) + 10 as string))",
        () ->
            "if(%s, %s, cast(%s as string))"
                .formatted(
                    expressions.of(Kind.BOOLEAN, depth), other, expressions.of(Kind.DATE, depth)),
        () -> "date_format(%s, 'yyyy-MM-dd')".formatted(expressions.of(Kind.TIMESTAMP, depth)));
  }
}
