package io.mooring.expr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TimePatternsTest {
  private static String translated(String pattern) throws UnsupportedExpressionException {
    Literal literal = literal(pattern);
    return TimePatterns.translate(literal, literal);
  }

  private static Literal literal(String text) {
    return new Literal(UTF8String.fromString(text), DataTypes.StringType);
  }

  @ParameterizedTest
  @CsvSource({
    "yyyy-MM-dd, %Y-%m-%d",
    "yyyyMMddHHmmss, %Y%m%d%H%M%S",
    "dd.MM.yyyy HH:mm, %d.%m.%Y %H:%M",
    "HH/mm_ss, %H/%M_%S",
    "yyyy-MM-dd''T''HH, %Y-%m-%dT%H",
    "''100%''yyyy, 100%%%Y",
  })
  void fieldsOfFixedWidth_areTranslated(String pattern, String expected)
      throws UnsupportedExpressionException {
    assertThat(translated(pattern.replace("''", "'"))).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "yyy",
        "y",
        "yy",
        "yyyyy",
        "M",
        "MMM",
        "d",
        "h",
        "hh",
        "a",
        "E",
        "SSS",
        "uuuu",
        "VV",
        "''",
        "yyyy[-MM]",
        "'a''b'yyyy",
        "yyyy#",
        "'T",
        "yyyy''",
        "",
        "{",
        "yyyy ä"
      })
  void otherPatterns_areLeftToSpark(String pattern) {
    assertThatThrownBy(() -> translated(pattern))
        .isInstanceOf(UnsupportedExpressionException.class)
        .hasMessageContaining(pattern);
  }

  @Test
  void theLegacyFormatter_isLeftToSpark() {
    SQLConf conf = new SQLConf();
    conf.setConfString("spark.sql.legacy.timeParserPolicy", "legacy");
    SQLConf.withExistingConf(
        conf,
        () -> {
          assertThatThrownBy(() -> translated("yyyy")).hasMessageContaining("LEGACY");
          return null;
        });
  }
}
