package io.mooring.expr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Random;
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

  @ParameterizedTest
  @CsvSource(
      delimiter = ' ',
      value = {
        "abc abc",
        "^[a-z]+$ ^[a-z]+$",
        "\\d{3}-\\d{4} [0-9]{3}-[0-9]{4}",
        "a\\.b.*|^x a\\.b.*|^x",
        "[\\w.]+@ [A-Za-z0-9_.]+@",
        "a\\-b a-b"
      })
  void theseMeanTheSame(String java, String ours) throws UnsupportedExpressionException {
    assertThat(RegexTranslator.translate(java)).isEqualTo(ours);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", "^", "^$", "a|", "(a)", "a*?", "a++", "a{0,2}", "a{3,2}", "a{99}", "a{2", "*a", "a$b",
        "a^b", "\\s", "\\bword", "\\p{L}", "\\1", "[]", "[a-]", "[-a]", "[z-a]", "[a-Z]", "[a&&b]",
        "[[a]]", "(?i)a", "ä", "a]", "a}"
      })
  void theseAreSparks(String pattern) {
    assertThatThrownBy(() -> RegexTranslator.translate(pattern))
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
        ours = RegexTranslator.translate(pattern.toString());
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
