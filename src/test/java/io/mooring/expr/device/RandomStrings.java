package io.mooring.expr.device;

import io.mooring.expr.device.RandomOperands.Kind;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;

/** Random expressions in SQL whose values are strings. */
final class RandomStrings {
  private static final List<String> TIMES =
      List.of(
          "'yyyy-MM-dd'",
          "'yyyyMMdd'",
          "'HH:mm:ss'",
          "'yyyy-MM-dd HH'",
          "'dd.MM.yyyy'",
          "\"yyyy-MM-dd'T'HH:mm:ss\"",
          "\"yyyy'年' ss'%'mm\"",
          "'yyyy_MM, dd'");

  private static final List<String> GROUPS =
      List.of(
          "'(a|bc)(b?)'",
          "'(\\\\d)(\\\\.\\\\d+)?'",
          "'(?:^|-)(.)(.*?)(?:a|$)'",
          "'([^a-c ])|(a+)'",
          "'( ?)([a-c]{1,2})'");
  private static final List<String> REPLACEMENTS = List.of("", "x", "<$1>", "$2$1", "-$0ä");

  private final Random random;
  private final RandomExpressions expressions;
  private final RandomChoices choices;
  private final RandomPatterns patterns;

  RandomStrings(Random random, RandomExpressions expressions, RandomChoices choices) {
    this.random = random;
    this.expressions = expressions;
    this.choices = choices;
    this.patterns = new RandomPatterns(choices);
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
        () ->
            "regexp_replace(%s, %s, '%s')"
                .formatted(line(depth), choices.one(GROUPS), choices.one(REPLACEMENTS)),
        () ->
            "regexp_extract(%s, %s, %d)"
                .formatted(line(depth), choices.one(GROUPS), random.nextInt(3)),
        () -> "repeat(%s, %d)".formatted(same.get(), random.nextInt(6) - 1),
        () ->
            "translate(%s, '%s', '%s')"
                .formatted(
                    same.get(),
                    choices.one(List.of("abc", "aba", "ä", "cab日1", "")),
                    choices.one(List.of("x", "bca", "", "ñ-𝄞", "cccccc"))),
        () ->
            "substring_index(%s, %s, %d)"
                .formatted(
                    same.get(),
                    choices.one(List.of("'a'", "'bc'", "' '", "'.'", "'\\n'", "'ab'")),
                    random.nextInt(9) - 4),
        () -> "upper(%s)".formatted(choices.one(List.of("c_tame", "lower(c_tame)", same.get()))),
        () -> "%s(%s)".formatted(choices.one(List.of("trim", "ltrim", "rtrim")), same.get()),
        () ->
            "cast(%s as string)"
                .formatted(
                    expressions.of(choices.one(RandomOperands.NUMBERS.subList(0, 4)), depth)),
        () -> "cast(%s as string)".formatted(expressions.of(Kind.BOOLEAN, depth)),
        () -> "%s(%s as string)".formatted(cast(), expressions.of(Kind.DECIMAL, depth)),
        () -> "cast(%s as string)".formatted(expressions.of(Kind.DATE, depth)),
        () -> "cast(%s as string)".formatted(expressions.of(Kind.TIMESTAMP, depth)),
        () ->
            "date_format(%s, %s)"
                .formatted(expressions.of(Kind.TIMESTAMP, depth), choices.one(TIMES)),
        () ->
            "from_unixtime(%s, %s)"
                .formatted(choices.one(List.of("l_tame", "i", "s")), choices.one(TIMES)));
  }

  private String cast() {
    return choices.one(List.of("cast", "cast", "try_cast"));
  }

  private String sign() {
    return choices.one(List.of("", "-", ", ", "ä", "ab"));
  }

  String part() {
    return patterns.part();
  }

  /** Mostly without a line end. */
  String line(int depth) {
    return choices.any(
        () -> "(substring(c, 1, 1) || substring(c_tame, -1, 1))",
        () -> "(substring(c_tame, 1, 1) || %s || substring(c, -1, 1))".formatted(digits(depth)),
        () -> expressions.of(Kind.STRING, depth));
  }

  /** Mostly a decimal. */
  String places(int depth) {
    String number = "cast(%s as string)".formatted(expressions.of(Kind.DECIMAL, depth));
    return choices.any(
        () -> number,
        () -> "(%s || %s)".formatted(number, choices.one(List.of("'5'", "' '", "'9'", "'.5'"))),
        () -> digits(depth));
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
