package io.mooring.expr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RegexReplacementTest {
  private static final List<String> GROUPS = List.of("", "name", "");

  @ParameterizedTest
  @CsvSource({
    "$1, ${1}",
    "$0, ${0}",
    "<$3>, <${1}>",
    "$3$1$3, ${2}${1}${2}",
    "${name}x, ${1}x",
    "$12, ${1}2",
    "$1\\2, ${1}2",
    "{$2}, {${1}}",
  })
  void groupsAreCountedAnew(String replacement, String template)
      throws UnsupportedExpressionException {
    RegexReplacement parsed = new RegexReplacement(replacement, GROUPS);
    assertThat(parsed.isLiteral()).isFalse();
    assertThat(parsed.template()).isEqualTo(template);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a", "\\$1", "\\\\1", "a\\b", "𝄞", "{1}"})
  void literalsAreThoseOfJava(String replacement) throws UnsupportedExpressionException {
    RegexReplacement parsed = new RegexReplacement(replacement, GROUPS);
    assertThat(parsed.isLiteral()).isTrue();
    assertThat(parsed.literal())
        .isEqualTo(Pattern.compile("x").matcher("x").replaceAll(replacement));
  }

  @ParameterizedTest
  @ValueSource(strings = {"$", "\\", "$4", "$a", "${other}", "${}", "${1}", "${name", "a$"})
  void whatJavaDoesNotAcceptIsSparks(String replacement) {
    assertThatThrownBy(() -> new RegexReplacement(replacement, GROUPS))
        .isInstanceOf(UnsupportedExpressionException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"$1\\\\2", "$1\\${2}", "$1ä", "$1\0"})
  void whatLibcudfMayReadDifferentlyIsSparks(String replacement)
      throws UnsupportedExpressionException {
    RegexReplacement parsed = new RegexReplacement(replacement, GROUPS);
    assertThatThrownBy(parsed::template).isInstanceOf(UnsupportedExpressionException.class);
  }

  @Test
  void theWholeMatchIsNoGroup() throws UnsupportedExpressionException {
    assertThat(new RegexReplacement("$0$2", GROUPS).groups()).containsExactly(2);
  }
}
