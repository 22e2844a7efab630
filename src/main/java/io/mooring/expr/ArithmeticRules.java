package io.mooring.expr;

import io.mooring.columnar.ScalarTypes;
import io.mooring.expr.Arithmetic.Operator;
import io.mooring.expr.DeviceExpr.Mode;
import io.mooring.expr.ExpressionRule.ExpressionTranslator;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Abs;
import org.apache.spark.sql.catalyst.expressions.Add;
import org.apache.spark.sql.catalyst.expressions.BinaryArithmetic;
import org.apache.spark.sql.catalyst.expressions.Ceil;
import org.apache.spark.sql.catalyst.expressions.CheckOverflow;
import org.apache.spark.sql.catalyst.expressions.Divide;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Floor;
import org.apache.spark.sql.catalyst.expressions.IntegralDivide;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.MakeDecimal;
import org.apache.spark.sql.catalyst.expressions.Multiply;
import org.apache.spark.sql.catalyst.expressions.Pmod;
import org.apache.spark.sql.catalyst.expressions.Remainder;
import org.apache.spark.sql.catalyst.expressions.Round;
import org.apache.spark.sql.catalyst.expressions.Sqrt;
import org.apache.spark.sql.catalyst.expressions.Subtract;
import org.apache.spark.sql.catalyst.expressions.UnaryExpression;
import org.apache.spark.sql.catalyst.expressions.UnaryMinus;
import org.apache.spark.sql.catalyst.expressions.UnaryPositive;
import org.apache.spark.sql.catalyst.expressions.UnscaledValue;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DecimalType;

/** Translations of arithmetic. */
final class ArithmeticRules {
  private static final String BOUNDED =
      "decimals: Spark computes the rows of a unit with intermediate values of more than 38 digits";

  // Two decimals of so many digits never have the same nearest double.
  private static final int EXACT_DIGITS = 15;

  static final List<ExpressionRule<?>> RULES =
      List.of(
          new ExpressionRule<>(Add.class, "a + b", BOUNDED, (e, t) -> binary(Operator.ADD, e, t)),
          new ExpressionRule<>(
              Subtract.class, "a - b", BOUNDED, (e, t) -> binary(Operator.SUBTRACT, e, t)),
          new ExpressionRule<>(
              Multiply.class, "a * b", BOUNDED, (e, t) -> binary(Operator.MULTIPLY, e, t)),
          new ExpressionRule<>(
              Divide.class, "a / b", BOUNDED, (e, t) -> binary(Operator.DIVIDE, e, t)),
          new ExpressionRule<>(
              IntegralDivide.class,
              "a div b",
              "integers",
              (e, t) -> binary(Operator.INTEGRAL_DIVIDE, e, t)),
          new ExpressionRule<>(
              Remainder.class, "a % b", BOUNDED, (e, t) -> binary(Operator.REMAINDER, e, t)),
          new ExpressionRule<>(
              Pmod.class, "pmod(a, b)", BOUNDED, (e, t) -> binary(Operator.PMOD, e, t)),
          new ExpressionRule<>(
              UnaryMinus.class,
              "-a",
              "",
              (e, t) -> unary(Unary.Operator.NEGATE, e, ansi(e.failOnError()), t)),
          new ExpressionRule<>(
              Abs.class,
              "abs(a)",
              "",
              (e, t) -> unary(Unary.Operator.ABS, e, ansi(e.failOnError()), t)),
          new ExpressionRule<>(
              Sqrt.class, "sqrt(a)", "", (e, t) -> unary(Unary.Operator.SQRT, e, Mode.LEGACY, t)),
          new ExpressionRule<>(UnaryPositive.class, "+a", "", (e, t) -> t.translate(e.child())),
          new ExpressionRule<>(
              Floor.class, "floor(a)", "", (e, t) -> whole(Unary.Operator.FLOOR, e, t)),
          new ExpressionRule<>(
              Ceil.class, "ceil(a)", "", (e, t) -> whole(Unary.Operator.CEIL, e, t)),
          new ExpressionRule<>(
              Round.class,
              "round(a, n)",
              "decimals, integers and doubles; n a literal and not negative, for doubles at most 14:"
                  + " Spark computes the rows of a unit with more than 14 digits up to the n-th"
                  + " place",
              ArithmeticRules::round),
          new ExpressionRule<>(
              CheckOverflow.class,
              "(inserted by Spark)",
              "",
              (e, t) -> decimal(e.child(), e.dataType(), ansi(!e.nullOnOverflow()), t)),
          new ExpressionRule<>(
              UnscaledValue.class,
              "(inserted by Spark)",
              "",
              (e, t) -> unary(Unary.Operator.UNSCALED, e, Mode.LEGACY, t)),
          new ExpressionRule<>(
              MakeDecimal.class,
              "(inserted by Spark)",
              "",
              (e, t) -> unary(Unary.Operator.MAKE_DECIMAL, e, ansi(!e.nullOnOverflow()), t)));

  private ArithmeticRules() {}

  static Mode mode(scala.Enumeration.Value evalMode) {
    return Mode.valueOf(evalMode.toString());
  }

  private static Mode ansi(boolean failOnError) {
    return failOnError ? Mode.ANSI : Mode.LEGACY;
  }

  private static DeviceExpr binary(Operator operator, BinaryArithmetic e, ExpressionTranslator t)
      throws UnsupportedExpressionException {
    DataType left = e.left().dataType();
    boolean decimals = ScalarTypes.isDecimal(left) && ScalarTypes.isDecimal(e.right().dataType());
    boolean numbers = ScalarTypes.isNumber(left) && left.equals(e.right().dataType());
    if (!decimals && (!numbers || ScalarTypes.isDecimal(left))
        || operator == Operator.INTEGRAL_DIVIDE && !left.equals(DataTypes.LongType)) {
      throw new UnsupportedExpressionException(e.prettyName() + " of " + left.sql());
    }
    if (operator == Operator.DIVIDE && losesDigits(left, e.right().dataType(), e.dataType())) {
      throw new UnsupportedExpressionException("a quotient of fewer digits than " + left.sql());
    }
    if (operator == Operator.MULTIPLY && hasTooManyPlaces(left, e.right().dataType())) {
      throw new UnsupportedExpressionException("a product with more than 38 decimal places");
    }
    DeviceExpr first = t.translate(e.left());
    DeviceExpr second = t.translate(e.right());
    Mode mode = IntegerRange.fits(operator, first, second) ? Mode.LEGACY : mode(e.evalMode());
    return new Arithmetic(operator, first, second, e.dataType(), mode);
  }

  private static boolean losesDigits(DataType left, DataType right, DataType result) {
    return left instanceof DecimalType a
        && right instanceof DecimalType b
        && result instanceof DecimalType c
        && c.scale() + b.scale() < a.scale();
  }

  /** Whether an exact product has more decimal places than libcudf's widest decimals. */
  private static boolean hasTooManyPlaces(DataType left, DataType right) {
    return left instanceof DecimalType a
        && right instanceof DecimalType b
        && a.scale() + b.scale() > DecimalType.MAX_SCALE();
  }

  private static DeviceExpr unary(
      Unary.Operator operator, UnaryExpression e, Mode mode, ExpressionTranslator t)
      throws UnsupportedExpressionException {
    if (!ScalarTypes.isNumber(e.child().dataType())) {
      throw new UnsupportedExpressionException(
          e.prettyName() + " of " + e.child().dataType().sql());
    }
    return new Unary(operator, t.translate(e.child()), e.dataType(), mode);
  }

  /** Floor or ceiling: Spark's of doubles is a long. */
  private static DeviceExpr whole(
      Unary.Operator operator, UnaryExpression e, ExpressionTranslator t)
      throws UnsupportedExpressionException {
    DataType type = e.child().dataType();
    if (ScalarTypes.isInteger(type) && type.equals(e.dataType())) {
      return t.translate(e.child());
    } else if (type.equals(DataTypes.DoubleType) && e.dataType().equals(DataTypes.LongType)) {
      DeviceExpr whole = new Unary(operator, t.translate(e.child()), type, Mode.LEGACY);
      return new DeviceExpr.Cast(whole, DataTypes.LongType, Mode.LEGACY);
    } else if (!ScalarTypes.isDecimal(type)) {
      throw new UnsupportedExpressionException(e.prettyName() + " of " + type.sql());
    }
    return unary(operator, e, Mode.LEGACY, t);
  }

  /** Decimals are rounded as in a cast to the type of the result, doubles as decimals. */
  private static DeviceExpr round(Round e, ExpressionTranslator t)
      throws UnsupportedExpressionException {
    DataType type = e.child().dataType();
    int places = e.scale() instanceof Literal it && it.value() instanceof Integer n ? n : -1;
    if (places >= 0 && ScalarTypes.isInteger(type)) {
      return t.translate(e.child());
    } else if (places >= 0 && type instanceof DecimalType) {
      return decimal(e.child(), e.dataType(), ansi(e.ansiEnabled()), t);
    } else if (places >= 0 && places < EXACT_DIGITS && type.equals(DataTypes.DoubleType)) {
      DataType rounded = new DecimalType(EXACT_DIGITS, places);
      DeviceExpr digits = new DeviceExpr.Cast(t.translate(e.child()), rounded, Mode.LEGACY);
      return new DeviceExpr.Cast(digits, type, Mode.LEGACY);
    }
    throw new UnsupportedExpressionException("round of " + type.sql() + " to " + e.scale());
  }

  private static DeviceExpr decimal(
      Expression child, DataType type, Mode mode, ExpressionTranslator t)
      throws UnsupportedExpressionException {
    if (!(child.dataType() instanceof DecimalType)) {
      throw new UnsupportedExpressionException("rounding of " + child.dataType().sql());
    }
    return new DeviceExpr.Cast(t.translate(child), type, mode);
  }
}
