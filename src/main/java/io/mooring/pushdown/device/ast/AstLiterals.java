package io.mooring.pushdown.device.ast;

import ai.rapids.cudf.DType;
import ai.rapids.cudf.ast.Literal;
import io.mooring.columnar.CudfTypes;
import io.mooring.pushdown.Constant;
import java.math.BigInteger;
import org.apache.spark.sql.types.Decimal;
import org.jspecify.annotations.Nullable;

/** Literals of cudf's AST, in which both sides of an operation have one type. */
final class AstLiterals {
  private AstLiterals() {}

  /**
   * A constant as a literal; null where no literal is exact: for null, for NaN, which libcudf
   * orders differently, and for values that the type does not hold.
   *
   * @param as the type of the column that it is compared with; a decimal's literal is its unscaled
   *     integer
   */
  static @Nullable Literal of(Constant constant, DType as) {
    Object value = constant.value();
    if (value == null) {
      return null;
    } else if (value instanceof Decimal decimal) {
      return unscaled(decimal, as);
    }
    return CudfTypes.of(constant.type()).equals(as) ? ofType(value, as) : null;
  }

  private static @Nullable Literal ofType(Object value, DType type) {
    return switch (type.getTypeId()) {
      case BOOL8 -> Literal.ofBoolean((Boolean) value);
      case INT8 -> Literal.ofByte((Byte) value);
      case INT16 -> Literal.ofShort((Short) value);
      case INT32 -> Literal.ofInt((Integer) value);
      case INT64 -> Literal.ofLong((Long) value);
      case FLOAT32 -> ((Float) value).isNaN() ? null : Literal.ofFloat((Float) value);
      case FLOAT64 -> ((Double) value).isNaN() ? null : Literal.ofDouble((Double) value);
      case TIMESTAMP_DAYS -> Literal.ofTimestampDaysFromInt((Integer) value);
      case TIMESTAMP_MICROSECONDS -> Literal.ofTimestampFromLong(type, (Long) value);
      default -> null;
    };
  }

  private static @Nullable Literal unscaled(Decimal decimal, DType as) {
    if (!as.isDecimalType() || decimal.scale() != -as.getScale()) {
      return null;
    }
    BigInteger unscaled = decimal.toJavaBigDecimal().unscaledValue();
    DType.DTypeEnum width = as.getTypeId();
    if (width == DType.DTypeEnum.DECIMAL32 && unscaled.bitLength() < Integer.SIZE) {
      return Literal.ofInt(unscaled.intValueExact());
    }
    boolean isLong = width == DType.DTypeEnum.DECIMAL64 && unscaled.bitLength() < Long.SIZE;
    return isLong ? Literal.ofLong(unscaled.longValueExact()) : null;
  }
}
