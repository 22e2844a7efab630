package io.mooring.expr.device;

import ai.rapids.cudf.BinaryOperable;
import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.ColumnView;
import ai.rapids.cudf.DType;
import ai.rapids.cudf.Scalar;
import io.mooring.columnar.CudfTypes;
import io.mooring.expr.DeviceExpr;
import java.math.BigInteger;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.DecimalType;

/** An operand of decimal arithmetic with a bound on the absolute value of its digits. */
final class DecimalOperand {
  private final DecimalType type;
  private final BinaryOperable operand;
  private final Evaluation evaluation;
  private BigInteger bound;

  DecimalOperand(DeviceExpr expr, Evaluation evaluation) {
    this.type = (DecimalType) expr.type();
    this.operand = evaluation.operand(expr);
    this.evaluation = evaluation;
    this.bound =
        expr instanceof DeviceExpr.Literal literal && literal.value() instanceof Decimal decimal
            ? CudfTypes.unscaled(decimal, CudfTypes.of(type)).abs()
            : BigInteger.TEN.pow(type.precision()).subtract(BigInteger.ONE);
  }

  int scale() {
    return type.scale();
  }

  BinaryOperable operand() {
    return operand;
  }

  /** Of its own scale. */
  BigInteger bound() {
    return bound;
  }

  /** With as many digits as a scale has. */
  BigInteger bound(int scale) {
    return bound.multiply(BigInteger.TEN.pow(scale - scale()));
  }

  /** Makes the bound as tight as the values are. */
  void measure() {
    if (operand instanceof ColumnVector column) {
      bound = evaluation.magnitude(column);
    }
  }

  /** The same values in another width. */
  BinaryOperable as(DType.DTypeEnum width) {
    DType wanted = DType.create(width, -scale());
    if (operand.getType().equals(wanted)) {
      return operand;
    } else if (operand instanceof Scalar scalar) {
      return scalar.isValid()
          ? scalar(scalar.getBigDecimal().unscaledValue(), wanted, evaluation)
          : evaluation.keep(Scalar.fromNull(wanted));
    }
    return evaluation.cast((ColumnView) operand, wanted);
  }

  /** Digits as a scalar of a decimal type, cut to what the type can hold. */
  static Scalar scalar(BigInteger digits, DType type, Evaluation e) {
    int bits = 8 * type.getSizeInBytes() - 1;
    BigInteger most = BigInteger.TWO.pow(bits).subtract(BigInteger.ONE);
    return e.keep(Scalar.fromDecimal(digits.min(most).max(most.negate()), type));
  }
}
