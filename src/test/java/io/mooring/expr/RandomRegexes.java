package io.mooring.expr;

import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Random regular expressions of Java's, most of which are translated, and texts they may match. */
public final class RandomRegexes {
  private static final List<String> CHARACTERS =
      List.of(
          "a",
          "a",
          "a",
          "b",
          "b",
          "b",
          "c",
          "/",
          ".",
          "\\.",
          "\\d",
          "\\w",
          "\\s",
          "\\D",
          "\\W",
          "\\S",
          "[ab]",
          "[^a]",
          "[^/]",
          "[a-c]",
          "[\\w.-]",
          "[-a]",
          "[^\\d\\s]",
          "[b\\]/]",
          "\\-");
  private static final List<String> REPEATS =
      List.of("*", "+", "?", "*?", "+?", "??", "{2}", "{1,2}", "{1,3}?", "{2,}", "{1,}?");
  private static final List<String> SIGNS =
      List.of("a", "a", "a", "b", "b", "b", "c", "/", ".", "-", "1", " ", "_", "]", "ä", "𝄞");

  private final Random random;

  public RandomRegexes(Random random) {
    this.random = random;
  }

  private <T> T one(List<T> values) {
    return values.get(random.nextInt(values.size()));
  }

  /** An expression; some of them match an empty string, or have groups that are repeated. */
  public String pattern() {
    if (random.nextInt(8) == 0) {
      return "^" + branch(1) + "(" + branches(2) + ")" + branch(1) + "$";
    }
    String begin = random.nextInt(6) == 0 ? "^" : "";
    String end = random.nextInt(6) == 0 ? "$" : "";
    return begin + branches(3) + end;
  }

  private String branches(int depth) {
    int count = random.nextInt(3) == 0 ? 2 + random.nextInt(2) : 1;
    return IntStream.range(0, count).mapToObj(i -> branch(depth)).collect(Collectors.joining("|"));
  }

  private String branch(int depth) {
    return IntStream.rangeClosed(0, random.nextInt(4))
        .mapToObj(i -> item(depth))
        .collect(Collectors.joining());
  }

  private String item(int depth) {
    if (random.nextInt(40) == 0) {
      return one(List.of("^", "$"));
    }
    boolean isGroup = depth > 0 && random.nextInt(3) == 0;
    String item = isGroup ? one(List.of("(", "(?:", "(")) + branches(depth - 1) + ")" : "";
    String repeat = random.nextInt(3) == 0 ? one(REPEATS) : "";
    return (isGroup ? item : one(CHARACTERS)) + repeat;
  }

  /** A short text; some have line ends, and characters that are not ASCII. */
  public String text() {
    String text =
        IntStream.range(0, random.nextInt(10))
            .mapToObj(i -> random.nextInt(3) == 0 ? one(SIGNS) : one(SIGNS.subList(0, 8)))
            .collect(Collectors.joining());
    return random.nextInt(2_000) == 0 ? text + one(List.of("\n", "\r", "\u2028")) : text;
  }

  /** What replaces a match; it may have groups up to the second. */
  public String replacement() {
    return one(
        List.of("", "x", "-$0-", "<$1>", "$2/$1", "$1", "[$0]", "\\$1", "ä", "$12", "a\\b$2"));
  }
}
