package io.mooring.expr.device;

import io.mooring.expr.device.RandomOperands.Kind;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;

/** Random calls in SQL of functions that Spark replaces by other expressions. */
final class RandomSynonyms {
  private static final List<String> PARTS =
      List.of("year", "quarter", "month", "week", "day", "doy", "dow_iso", "hour", "minute");

  private final Random random;
  private final RandomExpressions expressions;
  private final RandomChoices choices;
  private final RandomOperands operands;
  private final RandomPatterns patterns;

  RandomSynonyms(
      Random random,
      RandomExpressions expressions,
      RandomChoices choices,
      RandomOperands operands,
      RandomPatterns patterns) {
    this.random = random;
    this.expressions = expressions;
    this.choices = choices;
    this.operands = operands;
    this.patterns = patterns;
  }

  String of(Kind kind, int depth) {
    Supplier<String> same = () -> expressions.of(kind, depth);
    return random.nextInt(4) == 0
        ? choices.any(
            () -> "ifnull(%s, %s)".formatted(same.get(), same.get()),
            () -> "nvl(%s, %s)".formatted(same.get(), operands.literal(kind)),
            () ->
                "decode(%s, %s, %s, %s)"
                    .formatted(same.get(), operands.literal(kind), same.get(), same.get()),
            () ->
                "case %s when %s then %s end"
                    .formatted(same.get(), operands.literal(kind), same.get()))
        : typed(kind, depth);
  }

  private String typed(Kind kind, int depth) {
    return switch (kind) {
      case BOOLEAN -> condition(depth);
      case STRING -> text(depth);
      case DATE -> date(depth);
      case TIMESTAMP -> timestamp(depth);
      case INT -> random.nextBoolean() ? part(depth) : number(kind, depth);
      default -> number(kind, depth);
    };
  }

  private String condition(int depth) {
    Kind kind = choices.one(List.of(Kind.values()));
    Supplier<String> same = () -> expressions.of(kind, depth);
    return choices.any(
        () -> "(%s between %s and %s)".formatted(same.get(), operands.literal(kind), same.get()),
        () -> "(%s not in (%s, %s))".formatted(same.get(), same.get(), operands.literal(kind)),
        () -> "(%s not in (%s))".formatted(same.get(), operands.list(kind)),
        () -> "equal_null(%s, %s)".formatted(same.get(), same.get()),
        () -> "(%s is distinct from %s)".formatted(same.get(), operands.literal(kind)),
        () -> "(%s is not true)".formatted(expressions.of(Kind.BOOLEAN, depth)),
        () -> patterns.condition(expressions.of(Kind.STRING, depth)));
  }

  private String number(Kind kind, int depth) {
    Supplier<String> same = () -> expressions.of(kind, depth);
    String call = choices.one(List.of("try_subtract", "try_multiply", "try_mod", "mod"));
    boolean divides = kind == Kind.DOUBLE || kind == Kind.DECIMAL;
    String first = divides && random.nextBoolean() ? "try_divide" : call;
    String whole = kind == Kind.DECIMAL ? "int" : operands.type(kind);
    return choices.any(
        () -> "%s(%s, %s)".formatted(first, same.get(), same.get()),
        () -> "%s(%s, %s)".formatted(first, same.get(), operands.literal(kind)),
        () -> "nullifzero(%s)".formatted(same.get()),
        () -> "zeroifnull(%s)".formatted(same.get()),
        () -> "(+ %s)".formatted(same.get()),
        () -> "cast(%s as %s)".formatted(expressions.of(Kind.BOOLEAN, depth), whole),
        () ->
            kind == Kind.INT || kind == Kind.LONG
                ? "(%s %s %d)".formatted(same.get(), shift(), random.nextInt(70))
                : "round(%s, %d)".formatted(rounded(kind, depth), random.nextInt(15)));
  }

  private String rounded(Kind kind, int depth) {
    return expressions.of(kind == Kind.FLOAT ? Kind.DOUBLE : kind, depth);
  }

  private String shift() {
    return random.nextBoolean() ? "<<" : ">>";
  }

  private String part(int depth) {
    String time = expressions.of(random.nextBoolean() ? Kind.DATE : Kind.TIMESTAMP, depth);
    String text = expressions.of(Kind.STRING, depth);
    return choices.any(
        () -> "extract(%s from %s)".formatted(choices.one(PARTS), time),
        () -> "date_part('%s', %s)".formatted(choices.one(PARTS), time),
        () -> "dayofmonth(%s)".formatted(time),
        () -> "char_length(%s)".formatted(text),
        () -> "position(%s in %s)".formatted(patterns.part(), text),
        () -> "date_diff(%s, %s)".formatted(time, expressions.of(Kind.DATE, depth)));
  }

  private String text(int depth) {
    Supplier<String> same = () -> expressions.of(Kind.STRING, depth);
    int count = random.nextInt(9) - 2;
    return choices.any(
        () -> "left(%s, %d)".formatted(same.get(), count),
        () -> "right(%s, %d)".formatted(same.get(), count),
        () -> "substr(%s from %d)".formatted(same.get(), count),
        () -> "lower(%s)".formatted(same.get()),
        () -> "btrim(%s)".formatted(same.get()),
        () -> "regexp_substr(%s, '[a-c]+')".formatted(same.get()),
        () -> "string(%s)".formatted(expressions.of(Kind.DECIMAL, depth)),
        () -> "trim(both from %s)".formatted(same.get()));
  }

  private String date(int depth) {
    Supplier<String> same = () -> expressions.of(Kind.DATE, depth);
    return choices.any(
        () -> "to_date(%s)".formatted(expressions.of(Kind.TIMESTAMP, depth)),
        () -> "(%s + %s)".formatted(same.get(), choices.one(List.of("i_tame", "s", "y", "31"))),
        () -> "(%s - %s)".formatted(same.get(), choices.one(List.of("i_tame", "s", "31"))),
        () -> "dateadd(%s, %s)".formatted(same.get(), choices.one(List.of("i_tame", "i"))),
        () -> "try_cast(string(%s) as date)".formatted(same.get()));
  }

  private String timestamp(int depth) {
    Supplier<String> same = () -> expressions.of(Kind.TIMESTAMP, depth);
    return choices.any(
        () -> "to_timestamp(string(%s))".formatted(same.get()),
        () -> "try_cast(string(%s) as timestamp)".formatted(same.get()),
        () -> "to_timestamp(%s)".formatted(expressions.of(Kind.DATE, depth)),
        () -> "timestamp_micros(unix_micros(%s))".formatted(same.get()),
        () -> "timestamp_seconds(to_unix_timestamp(%s))".formatted(same.get()));
  }
}
