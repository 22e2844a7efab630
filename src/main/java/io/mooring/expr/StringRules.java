package io.mooring.expr;

import io.mooring.expr.ExpressionRule.ExpressionTranslator;
import io.mooring.expr.StringFunction.Function;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Concat;
import org.apache.spark.sql.catalyst.expressions.ConcatWs;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Length;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.Lower;
import org.apache.spark.sql.catalyst.expressions.OctetLength;
import org.apache.spark.sql.catalyst.expressions.Reverse;
import org.apache.spark.sql.catalyst.expressions.StringInstr;
import org.apache.spark.sql.catalyst.expressions.StringLPad;
import org.apache.spark.sql.catalyst.expressions.StringLocate;
import org.apache.spark.sql.catalyst.expressions.StringRPad;
import org.apache.spark.sql.catalyst.expressions.StringReplace;
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
  private static final String PADS = "n and b literals, b one ASCII character";

  /** Padding with more is left to Spark: the result of every row is at least so long. */
  private static final int MOST_PADDED = 1_000;

  private static final int FIRST_CHARACTER_THAT_IS_NOT_ASCII = 128;

  static final List<ExpressionRule<?>> RULES =
      List.of(
          new ExpressionRule<>(
              Substring.class, "substring(a, n, m)", "n and m literals", (e, t) -> substring(e, t)),
          new ExpressionRule<>(
              Length.class, "length(a)", "", (e, t) -> text(Function.LENGTH, e, t)),
          new ExpressionRule<>(
              OctetLength.class,
              "octet_length(a)",
              "",
              (e, t) -> text(Function.OCTET_LENGTH, e, t)),
          new ExpressionRule<>(
              Reverse.class, "reverse(a)", "of strings", (e, t) -> text(Function.REVERSE, e, t)),
          new ExpressionRule<>(Concat.class, "a || b", "", (e, t) -> text(Function.CONCAT, e, t)),
          new ExpressionRule<>(
              ConcatWs.class,
              "concat_ws(separator, a, b)",
              "the separator a literal, the others strings",
              (e, t) -> joined(e, t)),
          new ExpressionRule<>(
              StringReplace.class,
              "replace(a, b, c)",
              "b and c literals, b not empty",
              (e, t) -> replaced(e, t)),
          new ExpressionRule<>(
              StringInstr.class,
              "instr(a, b)",
              StringMatchRules.LITERAL,
              (e, t) -> located(e.str(), e.substr(), e, t)),
          new ExpressionRule<>(
              StringLocate.class,
              "locate(b, a)",
              StringMatchRules.LITERAL,
              (e, t) -> located(fromStart(e).str(), e.substr(), e, t)),
          new ExpressionRule<>(
              StringLPad.class,
              "lpad(a, n, b)",
              PADS,
              (e, t) -> padded(Function.PAD_LEFT, e.str(), e.len(), e.pad(), t)),
          new ExpressionRule<>(
              StringRPad.class,
              "rpad(a, n, b)",
              PADS,
              (e, t) -> padded(Function.PAD_RIGHT, e.str(), e.len(), e.pad(), t)),
          new ExpressionRule<>(
              Upper.class, "upper(a)", ASCII, (e, t) -> text(Function.UPPER, e, t)),
          new ExpressionRule<>(
              Lower.class, "lower(a)", ASCII, (e, t) -> text(Function.LOWER, e, t)),
          new ExpressionRule<>(
              StringTrim.class, "trim(a)", SPACES, (e, t) -> text(Function.TRIM, e, t)),
          new ExpressionRule<>(
              StringTrimLeft.class, "ltrim(a)", SPACES, (e, t) -> text(Function.TRIM_LEFT, e, t)),
          new ExpressionRule<>(
              StringTrimRight.class,
              "rtrim(a)",
              SPACES,
              (e, t) -> text(Function.TRIM_RIGHT, e, t)));

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

  private static DeviceExpr joined(ConcatWs e, ExpressionTranslator t)
      throws UnsupportedExpressionException {
    List<Expression> children = CollectionConverters.asJava(e.children());
    List<Expression> texts = children.subList(1, children.size());
    boolean isSupported =
        children.get(0) instanceof Literal separator
            && separator.value() != null
            && !texts.isEmpty()
            && texts.stream().allMatch(text -> text.dataType().equals(DataTypes.StringType));
    if (!isSupported) {
      throw new UnsupportedExpressionException(
          "concat_ws of arrays, or with a separator that is not a literal");
    }
    List<DeviceExpr> arguments = new ArrayList<>();
    for (Expression text : texts) {
      arguments.add(t.translate(text));
    }
    arguments.add(t.translate(children.get(0)));
    return new StringFunction(Function.CONCAT_WS, List.copyOf(arguments), e.dataType());
  }

  private static DeviceExpr replaced(StringReplace e, ExpressionTranslator t)
      throws UnsupportedExpressionException {
    StringMatchRules.pattern(e.searchExpr(), e);
    if (!(e.replaceExpr() instanceof Literal by) || by.value() == null) {
      throw new UnsupportedExpressionException("replace by what is not a literal");
    }
    return new StringFunction(Function.REPLACE, t.all(e.children()), e.dataType());
  }

  private static DeviceExpr located(
      Expression text, Expression part, Expression e, ExpressionTranslator t)
      throws UnsupportedExpressionException {
    String pattern = StringMatchRules.pattern(part, e);
    return StringMatchRules.ofPattern(Function.LOCATE, text, pattern, e, t);
  }

  private static StringLocate fromStart(StringLocate e) throws UnsupportedExpressionException {
    if (e.start() instanceof Literal start && Integer.valueOf(1).equals(start.value())) {
      return e;
    }
    throw new UnsupportedExpressionException("locate from a position");
  }

  private static DeviceExpr padded(
      Function function, Expression text, Expression length, Expression pad, ExpressionTranslator t)
      throws UnsupportedExpressionException {
    boolean isSupported =
        text.dataType().equals(DataTypes.StringType)
            && length instanceof Literal number
            && number.value() instanceof Integer wanted
            && wanted <= MOST_PADDED
            && pad instanceof Literal literal
            && literal.value() instanceof UTF8String filling
            && filling.numBytes() == 1
            && filling.toString().charAt(0) < FIRST_CHARACTER_THAT_IS_NOT_ASCII;
    if (!isSupported) {
      throw new UnsupportedExpressionException(
          "padding with more than a character, or to a length that is not a literal");
    }
    return new StringFunction(
        function,
        List.of(t.translate(text), t.translate(length), t.translate(pad)),
        DataTypes.StringType);
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
}
