package io.mooring.expr;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.internal.SQLConf;

/** Spark's patterns of dates and times, as those of strftime. */
final class TimePatterns {
  static final String CONDITIONS =
      "the pattern a literal of `yyyy`, `MM`, `dd`, `HH`, `mm`, `ss` and what lies between them";

  private static final Map<String, String> FIELDS =
      Map.of("yyyy", "%Y", "MM", "%m", "dd", "%d", "HH", "%H", "mm", "%M", "ss", "%S");

  /** A run of one letter, a quoted text without a quote in it, or a sign between fields. */
  private static final Pattern PART = Pattern.compile("([A-Za-z])\\1*|'([^']+)'(?!')|[-/:., _]");

  private static final String POLICY = "spark.sql.legacy.timeParserPolicy";

  private TimePatterns() {}

  /** The pattern of an expression. */
  static String translate(Expression pattern, Expression e) throws UnsupportedExpressionException {
    if (!(pattern instanceof Literal literal) || literal.value() == null) {
      throw new UnsupportedExpressionException(e.prettyName() + " with a pattern of a column");
    } else if (SQLConf.get().getConfString(POLICY, "CORRECTED").equalsIgnoreCase("LEGACY")) {
      throw new UnsupportedExpressionException(e.prettyName() + " with " + POLICY + "=LEGACY");
    }
    String text = literal.value().toString();
    StringBuilder translated = new StringBuilder();
    Matcher part = PART.matcher(text);
    int at = 0;
    while (part.find() && part.start() == at) {
      at = part.end();
      String field = part.group(1) == null ? null : FIELDS.get(part.group());
      if (part.group(1) != null && field == null) {
        break;
      } else if (part.group(2) != null) {
        translated.append(part.group(2).replace("%", "%%"));
      } else {
        translated.append(field == null ? part.group() : field);
      }
      if (at == text.length()) {
        return translated.toString();
      }
    }
    throw new UnsupportedExpressionException(e.prettyName() + " with the pattern " + text);
  }
}
