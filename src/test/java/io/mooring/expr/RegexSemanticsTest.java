package io.mooring.expr;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.testing.RandomCases;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Random expressions that are translated find the same matches and groups with libcudf's engine as
 * with Java's. {@code mooring.test.regexes} sets how many and {@code mooring.test.seed} repeats a
 * run.
 */
@Tag("random")
class RegexSemanticsTest {
  private static final int CASES = RandomCases.of("mooring.test.regexes", 3_000);
  private static final int TEXTS = 20;
  private static final String ANYWHERE = "(?:\\b|\\B)";

  private final long seed = Long.getLong("mooring.test.seed", System.nanoTime());

  @Test
  void randomExpressionsFindTheSame() {
    System.out.println("RegexSemanticsTest seed " + seed);
    Random random = new Random(seed);
    RandomRegexes regexes = new RandomRegexes(random);
    int[] taken = new int[3];
    for (int i = 0; i < CASES; i++) {
      String pattern = regexes.pattern();
      for (int group = 0; group < taken.length; group++) {
        taken[group] += isSame(pattern, group, regexes) ? 1 : 0;
      }
    }
    System.out.println(Arrays.toString(taken) + " of " + CASES + " expressions taken, by group");
    assertThat(taken[0]).isGreaterThan(CASES / 3);
    assertThat(taken[1]).isGreaterThan(CASES / 20);
    assertThat(taken[2]).isGreaterThan(CASES / 100);
  }

  /** Whether an expression is translated; what it finds is the same then. */
  private boolean isSame(String pattern, int group, RandomRegexes regexes) {
    RegexTranslator.Regex regex;
    try {
      regex = RegexTranslator.translate(pattern, "rlike", Set.of(group));
    } catch (UnsupportedExpressionException e) {
      return false;
    }
    Pattern java = Pattern.compile(pattern);
    assertThat(java.matcher("").groupCount()).isEqualTo(regex.groups().size());
    assertThat(java.matcher("").find() && !regex.matchesEmpty()).as(pattern).isFalse();
    if (group > regex.groups().size()) {
      return false;
    }
    ThreadEngine engine = ThreadEngineCompiler.compile("(?:" + regex.pattern() + ")" + ANYWHERE);
    assertThat(RegexInstructions.most(regex.pattern()))
        .as(regex.pattern())
        .isGreaterThanOrEqualTo(ThreadEngineCompiler.compile(regex.pattern()).size());
    for (int i = 0; i < TEXTS; i++) {
      String text = regexes.text();
      if (text.codePoints().noneMatch(c -> c == '\n' || c == '\r' || c == 0x2028)) {
        assertThat(ours(engine, text, regex, group))
            .as("group %d of %s in '%s', seed %d", group, pattern, text, seed)
            .isEqualTo(javas(java, text, regex, group));
      }
    }
    return true;
  }

  /** The matches, of those that can be empty the first one. */
  private static List<String> javas(
      Pattern pattern, String text, RegexTranslator.Regex regex, int group) {
    List<String> found = new ArrayList<>();
    Matcher matcher = pattern.matcher(text);
    while (matcher.find() && (found.isEmpty() || !regex.matchesEmpty())) {
      found.add(
          text.codePointCount(0, matcher.start())
              + "-"
              + text.codePointCount(0, matcher.end())
              + ":"
              + matcher.group(group));
    }
    return found;
  }

  private static List<String> ours(
      ThreadEngine engine, String text, RegexTranslator.Regex regex, int group) {
    List<String> found = new ArrayList<>();
    int[] characters = text.codePoints().toArray();
    int[] match = engine.find(characters, 0);
    while (match != null && (found.isEmpty() || !regex.matchesEmpty())) {
      int[] part = group == 0 ? match : engine.group(characters, match[0], 1);
      String value = part == null ? null : new String(characters, part[0], part[1] - part[0]);
      found.add(match[0] + "-" + match[1] + ":" + value);
      match = engine.find(characters, match[1]);
    }
    return found;
  }

  /** The first alternative that leads to a match counts, not the longest match. */
  @ParameterizedTest
  @CsvSource({
    "(?:a|ab)(?:c|bcd), abcd, 0, 4",
    "(?:ab|a)(?:bcd|c), abcd, 0, 3",
    "a*?b, xaab, 1, 4",
    "a|ab, ab, 0, 1",
    "(?:a|b)+, cabc, 1, 3",
  })
  void theEngineOfThreadsTakesTheFirstWay(String pattern, String text, int begin, int end) {
    int[] found = ThreadEngineCompiler.compile(pattern).find(text.codePoints().toArray(), 0);
    assertThat(found).containsExactly(begin, end);
  }
}
