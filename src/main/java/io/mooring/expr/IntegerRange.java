package io.mooring.expr;

import io.mooring.columnar.ScalarTypes;
import io.mooring.expr.Arithmetic.Operator;
import java.math.BigInteger;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;

/**
 * The integers that an expression can have, by its types and constants: interval arithmetic. Where
 * a result always fits its type, ANSI mode needs no check of the rows.
 */
record IntegerRange(BigInteger least, BigInteger most) {
  /** The range of an expression of an integer type; not null, both ends included. */
  static IntegerRange of(DeviceExpr expression) {
    IntegerRange type = of(expression.type());
    if (expression instanceof DeviceExpr.Literal literal
        && literal.value() instanceof Number number) {
      BigInteger value = BigInteger.valueOf(number.longValue());
      return new IntegerRange(value, value);
    } else if (expression instanceof DeviceExpr.Cast cast
        && ScalarTypes.isInteger(cast.child().type())) {
      return of(cast.child()).or(type);
    } else if (expression instanceof Arithmetic it && isSimple(it.operator())) {
      return of(it.operator(), it.left(), it.right()).or(type);
    }
    return type;
  }

  /** Whether a sum, difference or product of integers of one type always fits this type. */
  static boolean fits(Operator operator, DeviceExpr left, DeviceExpr right) {
    return isSimple(operator)
        && ScalarTypes.isInteger(left.type())
        && of(operator, left, right).isWithin(of(left.type()));
  }

  private static boolean isSimple(Operator operator) {
    return operator == Operator.ADD
        || operator == Operator.SUBTRACT
        || operator == Operator.MULTIPLY;
  }

  private static IntegerRange of(Operator operator, DeviceExpr left, DeviceExpr right) {
    IntegerRange a = of(left);
    IntegerRange b = of(right);
    return switch (operator) {
      case ADD -> new IntegerRange(a.least.add(b.least), a.most.add(b.most));
      case SUBTRACT -> new IntegerRange(a.least.subtract(b.most), a.most.subtract(b.least));
      default -> product(a, b);
    };
  }

  private static IntegerRange product(IntegerRange a, IntegerRange b) {
    List<BigInteger> ends =
        Stream.of(a.least, a.most)
            .flatMap(end -> Stream.of(end.multiply(b.least), end.multiply(b.most)))
            .sorted()
            .toList();
    return new IntegerRange(ends.get(0), ends.get(ends.size() - 1));
  }

  private static IntegerRange of(DataType type) {
    int bits =
        type.equals(DataTypes.ByteType)
            ? Byte.SIZE
            : type.equals(DataTypes.ShortType)
                ? Short.SIZE
                : type.equals(DataTypes.IntegerType) ? Integer.SIZE : Long.SIZE;
    BigInteger bound = BigInteger.ONE.shiftLeft(bits - 1);
    return new IntegerRange(bound.negate(), bound.subtract(BigInteger.ONE));
  }

  private boolean isWithin(IntegerRange other) {
    return least.compareTo(other.least) >= 0 && most.compareTo(other.most) <= 0;
  }

  /** This range, or all of the type where values wrap around, fail or become null. */
  private IntegerRange or(IntegerRange type) {
    return isWithin(type) ? this : type;
  }
}
