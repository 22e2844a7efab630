package io.mooring.expr;

import io.mooring.expr.ExpressionRule.ExpressionTranslator;
import io.mooring.expr.StringFunction.Function;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Contains;
import org.apache.spark.sql.catalyst.expressions.EndsWith;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Like;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.StartsWith;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.types.UTF8String;
import scala.jdk.javaapi.CollectionConverters;

/** Translations of tests of strings of collation UTF8_BINARY against literals. */
final class StringMatchRules {
  static final String LITERAL = "b a literal, not empty";

  static final List<ExpressionRule<?>> RULES =
      List.of(
          new ExpressionRule<>(
              StartsWith.class,
              "startswith(a, b)",
              LITERAL,
              (e, t) -> matched(Function.STARTS_WITH, e, pattern(e.right(), e), t)),
          new ExpressionRule<>(
              EndsWith.class,
              "endswith(a, b)",
              LITERAL,
              (e, t) -> matched(Function.ENDS_WITH, e, pattern(e.right(), e), t)),
          new ExpressionRule<>(
              Contains.class,
              "contains(a, b)",
              LITERAL,
              (e, t) -> matched(Function.CONTAINS, e, pattern(e.right(), e), t)),
          new ExpressionRule<>(
              Like.class,
              "a like b",
              LITERAL,
              (e, t) -> matched(Function.LIKE, e, like(pattern(e.right(), e), e.escapeChar()), t)));

  private StringMatchRules() {}

  /** The text of a pattern. */
  static String pattern(Expression pattern, Expression e) throws UnsupportedExpressionException {
    if (pattern instanceof Literal literal
        && literal.value() instanceof UTF8String text
        && text.numBytes() > 0
        && UTF8String.fromString(text.toString()).equals(text)) {
      return text.toString();
    }
    throw new UnsupportedExpressionException(
        e.prettyName() + " with a pattern that is not a literal");
  }

  private static DeviceExpr matched(
      Function function, Expression e, String pattern, ExpressionTranslator t)
      throws UnsupportedExpressionException {
    Expression text = CollectionConverters.asJava(e.children()).get(0);
    return ofPattern(function, text, pattern, e, t);
  }

  /** A function of a string and a pattern, of the type of an expression. */
  static DeviceExpr ofPattern(
      Function function, Expression text, String pattern, Expression e, ExpressionTranslator t)
      throws UnsupportedExpressionException {
    DeviceExpr literal =
        new DeviceExpr.Literal(UTF8String.fromString(pattern), DataTypes.StringType);
    return new StringFunction(function, List.of(t.translate(text), literal), e.dataType());
  }

  /** The pattern with an escape character that occurs in no other place. */
  private static String like(String pattern, char escape) throws UnsupportedExpressionException {
    StringBuilder ours = new StringBuilder();
    for (int i = 0; i < pattern.length(); i++) {
      char c = pattern.charAt(i);
      if (c == StringFunction.LIKE_ESCAPE || c == '\0') {
        throw new UnsupportedExpressionException("like with a control character");
      } else if (c != escape) {
        ours.append(c);
        continue;
      }
      char next = ++i < pattern.length() ? pattern.charAt(i) : '\0';
      if (next == '%' || next == '_') {
        ours.append(StringFunction.LIKE_ESCAPE).append(next);
      } else if (next == escape) {
        ours.append(escape);
      } else {
        throw new UnsupportedExpressionException(
            "like with an escape before a character that is not a wildcard");
      }
    }
    return ours.toString();
  }
}
