package io.mooring.expr.device;

import io.mooring.expr.device.RandomOperands.Kind;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;

/** Random expressions in SQL whose values are numbers. */
final class RandomNumbers {
  private final Random random;
  private final RandomExpressions expressions;
  private final RandomChoices choices;
  private final RandomOperands operands;
  private final RandomStrings strings;

  RandomNumbers(
      Random random,
      RandomExpressions expressions,
      RandomChoices choices,
      RandomOperands operands,
      RandomStrings strings) {
    this.random = random;
    this.expressions = expressions;
    this.choices = choices;
    this.operands = operands;
    this.strings = strings;
  }

  String number(Kind kind, int depth) {
    Supplier<String> same = () -> expressions.of(kind, depth);
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
                .formatted(
                    expressions.of(choices.one(RandomOperands.NUMBERS), depth),
                    operands.type(kind)),
        () ->
            "cast(%s as %s)"
                .formatted(
                    expressions.of(choices.one(RandomOperands.NUMBERS), depth),
                    operands.type(kind)),
        () -> "try_add(%s, %s)".formatted(same.get(), same.get()),
        () ->
            "cast(cast(%s as %s) as %s)"
                .formatted(
                    strings.digits(depth),
                    operands.type(choices.one(RandomOperands.NUMBERS.subList(0, 4))),
                    operands.type(kind)),
        () -> special(kind, depth),
        () -> special(kind, depth),
        () -> special(kind, depth));
  }

  private String special(Kind kind, int depth) {
    return switch (kind) {
      case BYTE, SHORT -> bits(kind, depth);
      case INT ->
          choices.any(() -> partOfDate(depth), () -> partOfDate(depth), () -> bits(kind, depth));
      case LONG ->
          choices.any(
              () ->
                  "unix_%s(%s)"
                      .formatted(
                          choices.one(List.of("seconds", "millis", "micros", "timestamp")),
                          expressions.of(Kind.TIMESTAMP, depth)),
              () -> "unix_timestamp(%s)".formatted(expressions.of(Kind.DATE, depth)),
              () -> "cast(%s as bigint)".formatted(expressions.of(Kind.TIMESTAMP, depth)),
              () -> bits(kind, depth),
              () ->
                  "(%s div %s)"
                      .formatted(
                          expressions.of(Kind.LONG, depth), expressions.of(Kind.LONG, depth)),
              () ->
                  "(%s div %s)"
                      .formatted(expressions.of(Kind.INT, depth), operands.literal(Kind.INT)),
              () -> "floor(%s)".formatted(expressions.of(Kind.DOUBLE, depth)),
              () -> "ceil(%s)".formatted(expressions.of(Kind.DOUBLE, depth)));
      case DECIMAL ->
          choices.any(
              () -> "(%s / %s)".formatted(expressions.of(kind, depth), expressions.of(kind, depth)),
              () ->
                  "(%s / %s)"
                      .formatted(expressions.of(kind, depth), operands.literal(Kind.DECIMAL)),
              () -> "round(%s, %d)".formatted(expressions.of(kind, depth), random.nextInt(4)),
              () -> "floor(%s)".formatted(expressions.of(kind, depth)),
              () -> "ceil(%s)".formatted(expressions.of(kind, depth)),
              () ->
                  "%s(%s as %s)"
                      .formatted(
                          choices.one(List.of("cast", "try_cast")),
                          strings.places(depth),
                          operands.type(kind)));
      case DOUBLE ->
          choices.any(
              () -> "(%s / %s)".formatted(expressions.of(kind, depth), expressions.of(kind, depth)),
              () -> "round(%s, %d)".formatted(expressions.of(kind, depth), random.nextInt(5)),
              () -> "sqrt(%s)".formatted(expressions.of(kind, depth)),
              () ->
                  "nanvl(%s, %s)"
                      .formatted(expressions.of(kind, depth), expressions.of(kind, depth)));
      default -> expressions.of(kind, depth);
    };
  }

  private String bits(Kind kind, int depth) {
    String operator = choices.one(List.of("&", "|", "^"));
    boolean wide = kind == Kind.INT || kind == Kind.LONG;
    return wide && random.nextInt(3) == 0
        ? "%s(%s, %d)"
            .formatted(
                choices.one(List.of("shiftleft", "shiftright")),
                expressions.of(kind, depth),
                random.nextInt(140) - 70)
        : "(%s %s %s)"
            .formatted(expressions.of(kind, depth), operator, expressions.of(kind, depth));
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
        () -> "%s(%s)".formatted(part, expressions.of(Kind.DATE, depth)),
        () -> "%s(%s)".formatted(part, expressions.of(Kind.DATE, depth)),
        () -> "%s(%s)".formatted(part, expressions.of(Kind.TIMESTAMP, depth)),
        () ->
            "%s(%s)"
                .formatted(
                    choices.one(List.of("hour", "minute", "second")),
                    expressions.of(Kind.TIMESTAMP, depth)),
        () ->
            "datediff(%s, %s)"
                .formatted(expressions.of(Kind.DATE, depth), expressions.of(Kind.DATE, depth)),
        () -> "unix_date(%s)".formatted(expressions.of(Kind.DATE, depth)),
        () -> "cast(%s as int)".formatted(expressions.of(Kind.TIMESTAMP, depth)),
        () -> "length(%s)".formatted(expressions.of(Kind.STRING, depth)),
        () -> "octet_length(%s)".formatted(expressions.of(Kind.STRING, depth)),
        () -> "instr(%s, %s)".formatted(expressions.of(Kind.STRING, depth), strings.part()),
        () -> "locate(%s, %s)".formatted(strings.part(), expressions.of(Kind.STRING, depth)));
  }
}
