package io.mooring.expr;

import io.mooring.expr.ExpressionRule.ExpressionTranslator;
import io.mooring.expr.StringFunction.Function;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.StringRepeat;
import org.apache.spark.sql.catalyst.expressions.StringTranslate;
import org.apache.spark.sql.catalyst.expressions.SubstringIndex;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;
import scala.jdk.javaapi.CollectionConverters;

/** Translations of functions that repeat strings, cut them at delimiters or exchange characters. */
final class StringEditRules {
  /** The most repetitions on the GPU: more make every string too long, and are left to Spark. */
  private static final int MOST_REPEATED = 100;

  /** Each delimiter up to the one that counts makes a column of its own. */
  private static final int MOST_DELIMITERS = 16;

  static final List<ExpressionRule<?>> RULES =
      List.of(
          new ExpressionRule<>(
              StringRepeat.class,
              "repeat(a, n)",
              "n a literal, at most 100",
              (e, t) -> repeat(e, t)),
          new ExpressionRule<>(
              StringTranslate.class,
              "translate(a, b, c)",
              "b and c literals",
              (e, t) -> exchanged(e, t)),
          new ExpressionRule<>(
              SubstringIndex.class,
              "substring_index(a, b, n)",
              "b a literal of ASCII characters that does not end as it begins; n a literal from -16"
                  + " to 16",
              (e, t) -> cut(e, t)));

  private StringEditRules() {}

  private static DeviceExpr repeat(StringRepeat e, ExpressionTranslator t)
      throws UnsupportedExpressionException {
    boolean isSupported =
        e.times() instanceof Literal times
            && times.value() instanceof Integer count
            && count <= MOST_REPEATED;
    return edited(Function.REPEAT, e, isSupported, t);
  }

  private static DeviceExpr exchanged(StringTranslate e, ExpressionTranslator t)
      throws UnsupportedExpressionException {
    String from = text(e.second());
    boolean isSupported = from != null && text(e.third()) != null;
    return from != null && from.isEmpty() && isSupported
        ? t.translate(e.first())
        : edited(Function.TRANSLATE, e, isSupported, t);
  }

  private static DeviceExpr cut(SubstringIndex e, ExpressionTranslator t)
      throws UnsupportedExpressionException {
    String delimiter = text(e.second());
    boolean isSupported =
        delimiter != null
            && isPlainDelimiter(delimiter)
            && e.third() instanceof Literal count
            && count.value() instanceof Integer number
            && number >= -MOST_DELIMITERS
            && number <= MOST_DELIMITERS;
    return edited(Function.SUBSTRING_INDEX, e, isSupported, t);
  }

  /** Whether a delimiter is found at the same places from both ends: none of its places overlap. */
  private static boolean isPlainDelimiter(String delimiter) {
    boolean isAscii = delimiter.chars().allMatch(c -> c > 0 && c <= Byte.MAX_VALUE);
    boolean overlaps =
        IntStream.range(1, delimiter.length())
            .anyMatch(i -> delimiter.startsWith(delimiter.substring(i)));
    return !delimiter.isEmpty() && isAscii && !overlaps;
  }

  /** The text of a literal; null for what is none, or is no valid string. */
  private static @Nullable String text(Expression e) {
    return e instanceof Literal literal
            && literal.value() instanceof UTF8String text
            && UTF8String.fromString(text.toString()).equals(text)
        ? text.toString()
        : null;
  }

  private static DeviceExpr edited(
      Function function, Expression e, boolean isSupported, ExpressionTranslator t)
      throws UnsupportedExpressionException {
    Expression text = CollectionConverters.asJava(e.children()).get(0);
    if (!isSupported || !text.dataType().equals(DataTypes.StringType)) {
      throw new UnsupportedExpressionException(
          e.prettyName() + " with arguments that are not literals, or of another kind");
    }
    return new StringFunction(function, t.all(e.children()), e.dataType());
  }
}
