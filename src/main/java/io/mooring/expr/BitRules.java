package io.mooring.expr;

import io.mooring.columnar.ScalarTypes;
import io.mooring.expr.Arithmetic.Operator;
import io.mooring.expr.DeviceExpr.Literal;
import io.mooring.expr.DeviceExpr.Mode;
import io.mooring.expr.ExpressionRule.ExpressionTranslator;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.BinaryExpression;
import org.apache.spark.sql.catalyst.expressions.BitwiseAnd;
import org.apache.spark.sql.catalyst.expressions.BitwiseOr;
import org.apache.spark.sql.catalyst.expressions.BitwiseXor;
import org.apache.spark.sql.catalyst.expressions.ShiftLeft;
import org.apache.spark.sql.catalyst.expressions.ShiftRight;
import org.apache.spark.sql.types.DataType;

/** Translations of operations on bits, as {@code grouping()} has them. */
final class BitRules {
  private static final String SHIFT = "n a literal";

  static final List<ExpressionRule<?>> RULES =
      List.of(
          new ExpressionRule<>(
              BitwiseAnd.class, "a & b", "", (e, t) -> bitwise(Operator.BIT_AND, e, t)),
          new ExpressionRule<>(
              BitwiseOr.class, "a | b", "", (e, t) -> bitwise(Operator.BIT_OR, e, t)),
          new ExpressionRule<>(
              BitwiseXor.class, "a ^ b", "", (e, t) -> bitwise(Operator.BIT_XOR, e, t)),
          new ExpressionRule<>(
              ShiftLeft.class, "a << n", SHIFT, (e, t) -> shift(Operator.SHIFT_LEFT, e, t)),
          new ExpressionRule<>(
              ShiftRight.class, "a >> n", SHIFT, (e, t) -> shift(Operator.SHIFT_RIGHT, e, t)));

  private BitRules() {}

  private static DeviceExpr bitwise(Operator operator, BinaryExpression e, ExpressionTranslator t)
      throws UnsupportedExpressionException {
    DataType type = e.dataType();
    if (!ScalarTypes.isInteger(type)
        || !e.left().dataType().equals(type)
        || !e.right().dataType().equals(type)) {
      throw new UnsupportedExpressionException(e.prettyName() + " of " + type.sql());
    }
    return new Arithmetic(
        operator, t.translate(e.left()), t.translate(e.right()), type, Mode.LEGACY);
  }

  /** A shift by as many bits as the JVM shifts by: the last five or six of the number. */
  private static DeviceExpr shift(Operator operator, BinaryExpression e, ExpressionTranslator t)
      throws UnsupportedExpressionException {
    DataType type = e.dataType();
    if (!(t.translate(e.right()) instanceof Literal literal)
        || !(literal.value() instanceof Integer bits)) {
      throw new UnsupportedExpressionException(
          e.prettyName() + " by a number that is not a literal");
    }
    int shifted = bits & (8 * type.defaultSize() - 1);
    return new Arithmetic(
        operator, t.translate(e.left()), new Literal(shifted, literal.type()), type, Mode.LEGACY);
  }
}
