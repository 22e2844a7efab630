package io.mooring.expr;

import io.mooring.expr.ExpressionRule.ExpressionTranslator;
import io.mooring.expr.RegexTranslator.Regex;
import io.mooring.expr.StringFunction.Function;
import java.util.List;
import java.util.Set;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.RLike;
import org.apache.spark.sql.catalyst.expressions.RegExpExtract;
import org.apache.spark.sql.catalyst.expressions.RegExpReplace;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.types.UTF8String;

/** Translations of functions of regular expressions, of strings of collation UTF8_BINARY. */
final class RegexRules {
  private static final String REGEX =
      "b a literal of ASCII characters, sets, anchors and groups, repeated where they match no empty"
          + " string; where b has a dot, $ or [^, Spark computes the rows of a unit with line ends";

  static final List<ExpressionRule<?>> RULES =
      List.of(
          new ExpressionRule<>(RLike.class, "a rlike b", REGEX, (e, t) -> matched(e, t)),
          new ExpressionRule<>(
              RegExpReplace.class,
              "regexp_replace(a, b, c)",
              "b as in `a rlike b`, not matching an empty string, c a literal; no groups in c that"
                  + " are in what b repeats",
              (e, t) -> replaced(e, t)),
          new ExpressionRule<>(
              RegExpExtract.class,
              "regexp_extract(a, b, n)",
              "b as in `a rlike b`, n a literal; not of groups that are in what b repeats",
              (e, t) -> extracted(e, t)));

  private RegexRules() {}

  private static DeviceExpr matched(RLike e, ExpressionTranslator t)
      throws UnsupportedExpressionException {
    String pattern = StringMatchRules.pattern(e.right(), e);
    Regex regex = RegexTranslator.translate(pattern, e.prettyName(), Set.of());
    return StringMatchRules.ofPattern(Function.RLIKE, e.left(), regex.pattern(), e, t);
  }

  private static DeviceExpr replaced(RegExpReplace e, ExpressionTranslator t)
      throws UnsupportedExpressionException {
    String pattern = StringMatchRules.pattern(e.regexp(), e);
    Regex regex = RegexTranslator.translate(pattern, e.prettyName(), Set.of());
    if (regex.matchesEmpty()) {
      throw new UnsupportedExpressionException(
          e.prettyName() + " with a pattern that matches an empty string: " + pattern);
    } else if (!(e.pos() instanceof Literal start) || !Integer.valueOf(1).equals(start.value())) {
      throw new UnsupportedExpressionException(e.prettyName() + " from a position");
    } else if (!(e.rep() instanceof Literal by) || !(by.value() instanceof UTF8String text)) {
      throw new UnsupportedExpressionException(
          e.prettyName() + " with a replacement that is not a literal");
    } else {
      RegexReplacement replacement = new RegexReplacement(text.toString(), regex.groups());
      if (replacement.isLiteral()) {
        String literal = replacement.literal();
        return function(Function.REGEXP_REPLACE, e.subject(), regex, literal, e, t);
      }
      Regex groups = RegexTranslator.translate(pattern, e.prettyName(), replacement.groups());
      if (groups.isWhole() && replacement.isGroup()) {
        Function group = Function.REGEXP_GROUP_OR_TEXT;
        return StringMatchRules.ofPattern(group, e.subject(), groups.pattern(), e, t);
      }
      String template = replacement.template();
      return function(Function.REGEXP_REPLACE_GROUPS, e.subject(), groups, template, e, t);
    }
  }

  private static DeviceExpr function(
      Function function,
      Expression text,
      Regex regex,
      String replacement,
      Expression e,
      ExpressionTranslator t)
      throws UnsupportedExpressionException {
    return new StringFunction(
        function,
        List.of(t.translate(text), literal(regex.pattern()), literal(replacement)),
        e.dataType());
  }

  private static DeviceExpr literal(String text) {
    return new DeviceExpr.Literal(UTF8String.fromString(text), DataTypes.StringType);
  }

  private static DeviceExpr extracted(RegExpExtract e, ExpressionTranslator t)
      throws UnsupportedExpressionException {
    String pattern = StringMatchRules.pattern(e.regexp(), e);
    if (!(e.idx() instanceof Literal index) || !(index.value() instanceof Integer group)) {
      throw new UnsupportedExpressionException(
          e.prettyName() + " of a group that is not a literal");
    }
    Regex regex = RegexTranslator.translate(pattern, e.prettyName(), Set.of(group));
    if (group < 0 || group > regex.groups().size()) {
      throw new UnsupportedExpressionException(e.prettyName() + " of a group that is not there");
    }
    String one = group == 0 ? "(" + regex.pattern() + ")" : regex.pattern();
    return StringMatchRules.ofPattern(Function.REGEXP_EXTRACT, e.subject(), one, e, t);
  }
}
