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

  /** The bound on the unscaled values. */
  BigInteger bound() {
    return bound;
  }

  /** The bound on the unscaled values at another scale, which is not smaller. */
  BigInteger bound(int scale) {
    return bound.multiply(BigInteger.TEN.pow(scale - scale()));
  }

  /** Tightens the bound to the values, which takes two reductions. */
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

  /** An unscaled value as a scalar of a decimal type, capped at what the type holds. */
  static Scalar scalar(BigInteger digits, DType type, Evaluation e) {
    int bits = 8 * type.getSizeInBytes() - 1;
    BigInteger most = BigInteger.TWO.pow(bits).subtract(BigInteger.ONE);
    return e.keep(Scalar.fromDecimal(digits.min(most).max(most.negate()), type));
  }
}
