package io.mooring.expr;

import io.mooring.expr.ExpressionRule.ExpressionTranslator;
import io.mooring.expr.StringFunction.Function;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Concat;
import org.apache.spark.sql.catalyst.expressions.Contains;
import org.apache.spark.sql.catalyst.expressions.EndsWith;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Length;
import org.apache.spark.sql.catalyst.expressions.Like;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.Lower;
import org.apache.spark.sql.catalyst.expressions.RLike;
import org.apache.spark.sql.catalyst.expressions.StartsWith;
import org.apache.spark.sql.catalyst.expressions.StringTrim;
import org.apache.spark.sql.catalyst.expressions.StringTrimLeft;
import org.apache.spark.sql.catalyst.expressions.StringTrimRight;
import org.apache.spark.sql.catalyst.expressions.Substring;
import org.apache.spark.sql.catalyst.expressions.Upper;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.types.UTF8String;
import scala.jdk.javaapi.CollectionConverters;

/** Translations of functions of strings of collation UTF8_BINARY. */
final class StringRules {
  private static final String ASCII =
      "Spark computes the rows of a unit with characters that are not ASCII";
  private static final String SPACES = "of spaces";
  private static final String REGEX =
      "b a literal, without groups and lazy repeats; where b has a dot, $ or [^, Spark computes the"
          + " rows of a unit with line ends";
  private static final String LITERAL = "b a literal, not empty";

  static final List<ExpressionRule<?>> RULES =
      List.of(
          new ExpressionRule<>(
              Substring.class, "substring(a, n, m)", "n and m literals", (e, t) -> substring(e, t)),
          new ExpressionRule<>(
              Length.class, "length(a)", "", (e, t) -> text(Function.LENGTH, e, t)),
          new ExpressionRule<>(Concat.class, "a || b", "", (e, t) -> text(Function.CONCAT, e, t)),
          new ExpressionRule<>(
              Upper.class, "upper(a)", ASCII, (e, t) -> text(Function.UPPER, e, t)),
          new ExpressionRule<>(
              Lower.class, "lower(a)", ASCII, (e, t) -> text(Function.LOWER, e, t)),
          new ExpressionRule<>(
              StringTrim.class, "trim(a)", SPACES, (e, t) -> text(Function.TRIM, e, t)),
          new ExpressionRule<>(
              StringTrimLeft.class, "ltrim(a)", SPACES, (e, t) -> text(Function.TRIM_LEFT, e, t)),
          new ExpressionRule<>(
              StringTrimRight.class, "rtrim(a)", SPACES, (e, t) -> text(Function.TRIM_RIGHT, e, t)),
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
              (e, t) -> matched(Function.LIKE, e, like(pattern(e.right(), e), e.escapeChar()), t)),
          new ExpressionRule<>(
              RLike.class,
              "a rlike b",
              REGEX,
              (e, t) ->
                  matched(Function.RLIKE, e, RegexTranslator.translate(pattern(e.right(), e)), t)));

  private StringRules() {}

  private static DeviceExpr text(Function function, Expression e, ExpressionTranslator t)
      throws UnsupportedExpressionException {
    List<Expression> children = CollectionConverters.asJava(e.children());
    boolean strings =
        children.stream().allMatch(child -> child.dataType().equals(DataTypes.StringType));
    if (!strings || children.size() > 1 && function != Function.CONCAT) {
      throw new UnsupportedExpressionException(e.sql());
    }
    return new StringFunction(function, t.all(e.children()), e.dataType());
  }

  private static DeviceExpr substring(Substring e, ExpressionTranslator t)
      throws UnsupportedExpressionException {
    boolean places =
        e.pos() instanceof Literal pos
            && e.len() instanceof Literal len
            && pos.value() instanceof Integer
            && len.value() instanceof Integer;
    if (!places || !e.str().dataType().equals(DataTypes.StringType)) {
      throw new UnsupportedExpressionException(
          "substring with a position or length that is not a literal");
    }
    return new StringFunction(Function.SUBSTRING, t.all(e.children()), e.dataType());
  }

  private static String pattern(Expression pattern, Expression e)
      throws UnsupportedExpressionException {
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
    DeviceExpr text = t.translate(CollectionConverters.asJava(e.children()).get(0));
    DeviceExpr literal =
        new DeviceExpr.Literal(UTF8String.fromString(pattern), DataTypes.StringType);
    return new StringFunction(function, List.of(text, literal), DataTypes.BooleanType);
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
