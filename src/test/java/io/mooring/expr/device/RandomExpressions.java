package io.mooring.expr.device;

import io.mooring.expr.device.RandomOperands.Kind;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;

/** Random expressions in SQL over the columns of {@link RandomValues}. */
final class RandomExpressions {
  private final Random random;
  private final RandomChoices choices;
  private final RandomOperands operands;
  private final RandomStrings strings;
  private final RandomNumbers numbers;
  private final RandomTimes times;
  private final RandomPatterns patterns;
  private final RandomSynonyms synonyms;

  RandomExpressions(Random random) {
    this.random = random;
    this.choices = new RandomChoices(random);
    this.operands = new RandomOperands(choices);
    this.strings = new RandomStrings(random, this, choices);
    this.numbers = new RandomNumbers(random, this, choices, operands, strings);
    this.times = new RandomTimes(random, this, choices);
    this.patterns = new RandomPatterns(choices);
    this.synonyms = new RandomSynonyms(random, this, choices, operands, patterns);
  }

  /** An expression of any type. */
  String next() {
    return of(choices.one(List.of(Kind.values())), 1 + random.nextInt(4));
  }

  /** An expression of a type, of at most so many operators within each other. */
  String of(Kind kind, int depth) {
    if (depth == 0) {
      return random.nextInt(5) == 0 ? operands.literal(kind) : operands.column(kind);
    } else if (random.nextInt(4) == 0) {
      return conditional(kind, depth - 1);
    } else if (random.nextInt(6) == 0) {
      return synonyms.of(kind, depth - 1);
    }
    int less = depth - 1;
    return switch (kind) {
      case BOOLEAN -> condition(less);
      case DATE -> times.date(less);
      case TIMESTAMP -> times.timestamp(less);
      case STRING -> strings.text(less);
      default -> numbers.number(kind, less);
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
        () -> "(%s like %s)".formatted(of(Kind.STRING, depth), patterns.like()),
        () -> "(%s rlike %s)".formatted(strings.line(depth), patterns.regex()),
        () -> patterns.found(of(Kind.STRING, depth)),
        () -> patterns.found(of(Kind.STRING, depth)),
        () -> "cast(%s as boolean)".formatted(of(choices.one(RandomOperands.NUMBERS), depth)));
  }
}
