package io.mooring.expr.device;

import io.mooring.expr.device.RandomOperands.Kind;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;

/** Random expressions in SQL whose values are strings. */
final class RandomStrings {
  private static final List<String> TIMES =
      List.of("'yyyy-MM-dd'", "'yyyyMMdd'", "'HH:mm:ss'", "'yyyy-MM-dd HH'", "'dd.MM.yyyy'");

  private final Random random;
  private final RandomExpressions expressions;
  private final RandomChoices choices;

  RandomStrings(Random random, RandomExpressions expressions, RandomChoices choices) {
    this.random = random;
    this.expressions = expressions;
    this.choices = choices;
  }

  String text(int depth) {
    Supplier<String> same = () -> expressions.of(Kind.STRING, depth);
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
                .formatted(
                    expressions.of(choices.one(RandomOperands.NUMBERS.subList(0, 4)), depth)),
        () -> "cast(%s as string)".formatted(expressions.of(Kind.BOOLEAN, depth)),
        () -> "cast(%s as string)".formatted(expressions.of(Kind.DATE, depth)),
        () -> "cast(%s as string)".formatted(expressions.of(Kind.TIMESTAMP, depth)),
        () ->
            "date_format(%s, %s)"
                .formatted(expressions.of(Kind.TIMESTAMP, depth), choices.one(TIMES)),
        () ->
            "from_unixtime(%s, %s)"
                .formatted(choices.one(List.of("l_tame", "i", "s")), choices.one(TIMES)));
  }

  private String sign() {
    return choices.one(List.of("", "-", ", ", "ä", "ab"));
  }

  String part() {
    return choices.one(List.of("'a'", "'bc'", "' '", "'ä'", "'abcab'", "'%'"));
  }

  /** Mostly without a line end. */
  String line(int depth) {
    return choices.any(
        () -> "(substring(c, 1, 1) || substring(c_tame, -1, 1))",
        () -> "(substring(c_tame, 1, 1) || %s || substring(c, -1, 1))".formatted(digits(depth)),
        () -> expressions.of(Kind.STRING, depth));
  }

  /** Mostly a number, or without a digit. */
  String digits(int depth) {
    String number =
        "cast(%s as string)"
            .formatted(expressions.of(choices.one(RandomOperands.NUMBERS.subList(0, 4)), depth));
    String other =
        choices.one(List.of("'abc'", "''", "'-'", "'+'", "' '", "'+007'", "'300'", "'ä'"));
    return choices.any(
        () -> number,
        () -> "if(%s, %s, %s)".formatted(expressions.of(Kind.BOOLEAN, depth), number, other),
        () -> expressions.of(Kind.STRING, depth));
  }
}
