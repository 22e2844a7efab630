package io.mooring.pushdown.device.ast;

import ai.rapids.cudf.DType;
import ai.rapids.cudf.ast.Literal;
import ai.rapids.cudf.ast.UnaryOperator;
import io.mooring.columnar.CudfTypes;
import io.mooring.pushdown.Column;
import io.mooring.pushdown.Constant;
import io.mooring.pushdown.Expr;
import io.mooring.pushdown.WideningCast;
import java.math.BigInteger;
import java.util.Set;
import java.util.function.Function;
import org.apache.spark.sql.types.Decimal;
import org.jspecify.annotations.Nullable;

/**
 * A side of a comparison in cudf's AST: a column of the scan, or a cast of one to a wider type. The
 * other side may be a literal of the same type.
 *
 * @param type on the device; that of a decimal, although its unscaled integers are compared
 */
record AstOperand(DType type, AstNode part) {
  // Strings and decimals would take libcudf's kernel for complex types, which is slower for all.
  private static final Set<DType> PLAIN =
      Set.of(
          DType.BOOL8,
          DType.INT8,
          DType.INT16,
          DType.INT32,
          DType.INT64,
          DType.FLOAT32,
          DType.FLOAT64,
          DType.TIMESTAMP_DAYS,
          DType.TIMESTAMP_MICROSECONDS);
  private static final Set<DType> NARROW_INTEGERS = Set.of(DType.INT8, DType.INT16, DType.INT32);
  private static final Set<DType> IN_DOUBLE =
      Set.of(DType.INT8, DType.INT16, DType.INT32, DType.INT64, DType.FLOAT32);

  /** The operand for an expression; null where it is neither. */
  static @Nullable AstOperand of(Expr expr, Function<Column, DType> types) {
    if (expr instanceof Column column) {
      DType type = types.apply(column);
      return isCompared(type) ? new AstOperand(type, AstNode.input(column)) : null;
    }
    return expr instanceof WideningCast widened ? widened(widened, types) : null;
  }

  private static boolean isCompared(DType type) {
    return PLAIN.contains(type)
        || type.getTypeId() == DType.DTypeEnum.DECIMAL32
        || type.getTypeId() == DType.DTypeEnum.DECIMAL64;
  }

  private static @Nullable AstOperand widened(WideningCast widened, Function<Column, DType> types) {
    AstOperand child = of(widened.child(), types);
    DType wide = CudfTypes.of(widened.type());
    if (child == null) {
      return null;
    } else if (wide.equals(DType.INT64) && NARROW_INTEGERS.contains(child.type())) {
      return new AstOperand(wide, AstNode.unary(UnaryOperator.CAST_TO_INT64, child.part()));
    } else if (wide.equals(DType.FLOAT64) && IN_DOUBLE.contains(child.type())) {
      return new AstOperand(wide, AstNode.unary(UnaryOperator.CAST_TO_FLOAT64, child.part()));
    }
    return null;
  }

  /**
   * A constant as a literal; null where no literal is exact: for null, for NaN, which libcudf
   * orders differently, and for values that the type does not hold.
   *
   * @param as the type of the column that it is compared with; a decimal's literal is its unscaled
   *     integer
   */
  static @Nullable Literal literal(Constant constant, DType as) {
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
