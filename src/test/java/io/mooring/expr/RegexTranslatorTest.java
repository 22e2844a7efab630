package io.mooring.expr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RegexTranslatorTest {
  private static final int CASES = 20_000;
  private static final int MOST_PARTS = 6;
  private static final List<String> PARTS =
      List.of(
          "a", "b", "Z", "7", " ", "-", "_", ".", "\\.", "\\d", "\\w", "\\\\", "\\$", "\\-",
          "[a-c]", "[^b]", "[a\\d_]", "[0-9.]", "*", "+", "?", "{2}", "{1,}", "{1,3}", "^", "$",
          "|", "(", ")", "\\s", "\\b", "[", "]", "&&", "(?i)", "ä", "{", "}", "\\p{L}", "\\Q",
          "{0,2}");
  private static final String CHARACTERS = "abcZ7 -_.$\\2äß日|^[";

  private static String translated(String pattern) throws UnsupportedExpressionException {
    return RegexTranslator.translate(pattern, "rlike", Set.of()).pattern();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ' ',
      value = {
        "abc abc",
        "^[a-z]+$ ^[a-z]+$",
        "\\d{3}-\\d{4} [0-9]{3}-[0-9]{4}",
        "a\\.b.*|^x a\\.b.*|^x",
        "[\\w.]+@ [A-Za-z0-9_.]+@",
        "a\\-b a-b",
        "(a|b)+?c?? (?:a|b)+?c??",
        "(?<x>a)(?:b) (?:a)(?:b)",
        "(^|,)a$ (?:^|,)a$"
      })
  void theseMeanTheSame(String java, String ours) throws UnsupportedExpressionException {
    assertThat(translated(java)).isEqualTo(ours);
  }

  @Test
  void classesAndHyphensAreSets() throws UnsupportedExpressionException {
    assertThat(translated("\\S\\W")).isEqualTo("[^ \t\n\u000b\f\r][^A-Za-z0-9_]");
    assertThat(translated("[a-][-.][\\-\\]]")).isEqualTo("[a\\-][\\-.][\\-\\]]");
  }

  @Test
  void groupsThatAreWantedAreLeft() throws UnsupportedExpressionException {
    RegexTranslator.Regex regex =
        RegexTranslator.translate("(a)(?:b(?<x>c))?(d)*", "rlike", Set.of(1, 2));
    assertThat(regex.pattern()).isEqualTo("(a)(?:b(c))?(?:d)*");
    assertThat(regex.groups()).containsExactly("", "x", "");
    assertThat(regex.matchesEmpty()).isFalse();
    assertThatThrownBy(() -> RegexTranslator.translate("(a)(?:b(?<x>c))?(d)*", "rlike", Set.of(3)))
        .isInstanceOf(UnsupportedExpressionException.class);
  }

  /** libcudf's program of this pattern has 2,048 bytes, which end the work of a GPU. */
  @Test
  void aProgramAsLargeAsSharedMemoryIsRefused() {
    String pattern =
        "a([^/]\\S(.?\\s)){1,3}?^a|\\w*b{1,}?a?$|([\\w.-]?b(\\d(?:^[a-c]+?a[ab])^|(.)\\-(\\s.+c\\S*"
            + "|[^/][-a]))?[-a])(?:(b[^a][\\w.-]{1,3}?)\\s){1,3}?\\.a??$";
    assertThatThrownBy(() -> RegexTranslator.translate(pattern, "rlike", Set.of()))
        .isInstanceOf(UnsupportedExpressionException.class)
        .hasMessageContaining("many elements");
  }

  @ParameterizedTest
  @CsvSource({
    "^a(b*)c$, true",
    "^(?:a(b?)|(c))(d)$, false",
    "^(?:x(a+))+$, false",
    "^(a)?$, false",
    "^(a)|b$, false",
    "^(a)\\$, false",
    "(a)$, false",
    "^(a)[$], false",
    "^(a), false",
    "^b|^(a)$, false",
    "^((?:a|b))+?$, false"
  })
  void aWholeStringBeginsAndEndsOnce(String pattern, boolean isWhole)
      throws UnsupportedExpressionException {
    boolean found;
    try {
      found = RegexTranslator.translate(pattern, "rlike", Set.of(1)).isWhole();
    } catch (UnsupportedExpressionException e) {
      found = false;
    }
    assertThat(found).isEqualTo(isWhole);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "a|",
        "()",
        "(a",
        "a)",
        "(a|)",
        "(a*)*",
        "(a?)+",
        "(a?|b)",
        "(^)*",
        "a++",
        "(?=a)",
        "(?<=a)",
        "(?<a>b)(?<a>c)",
        "(?>a)",
        "((a{50}){50}){50}",
        "(((((a{50}){50}){50}){50}){50})",
        "a{0,2}",
        "a{3,2}",
        "a{99}",
        "a{2",
        "*a",
        "\\bword",
        "\\p{L}",
        "\\1",
        "[]",
        "[--a]",
        "[a-c-e]",
        "[\\D]",
        "[z-a]",
        "[a-Z]",
        "[a&&b]",
        "[[a]]",
        "(?i)a",
        "ä",
        "a]",
        "a}"
      })
  void theseAreSparks(String pattern) {
    assertThatThrownBy(() -> translated(pattern))
        .isInstanceOf(UnsupportedExpressionException.class);
  }

  /** What is written anew finds the same, and Java reads every pattern that is taken. */
  @Test
  void writtenAnewTheyFindTheSame() {
    Random random = new Random(7);
    int taken = 0;
    for (int i = 0; i < CASES; i++) {
      StringBuilder pattern = new StringBuilder();
      for (int parts = 1 + random.nextInt(MOST_PARTS); parts > 0; parts--) {
        pattern.append(PARTS.get(random.nextInt(PARTS.size())));
      }
      String ours;
      try {
        ours = translated(pattern.toString());
      } catch (UnsupportedExpressionException e) {
        continue;
      }
      taken++;
      for (int j = 0; j < 20; j++) {
        String text = text(random);
        assertThat(Pattern.compile(ours).matcher(text).find())
            .as(pattern + " in " + text)
            .isEqualTo(Pattern.compile(pattern.toString()).matcher(text).find());
      }
    }
    assertThat(taken).isGreaterThan(CASES / 20);
  }

  private static String text(Random random) {
    StringBuilder text = new StringBuilder();
    for (int length = random.nextInt(8); length > 0; length--) {
      text.append(CHARACTERS.charAt(random.nextInt(CHARACTERS.length())));
    }
    return text.toString();
  }
}
