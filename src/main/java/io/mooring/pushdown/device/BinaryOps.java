package io.mooring.pushdown.device;

import ai.rapids.cudf.BinaryOp;
import ai.rapids.cudf.BinaryOperable;
import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.DType;
import ai.rapids.cudf.Scalar;
import io.mooring.columnar.CudfTypes;
import io.mooring.pushdown.Comparison;
import io.mooring.pushdown.Constant;
import io.mooring.pushdown.FloatingArithmetic;
import io.mooring.pushdown.Logical;

/** libcudf's binary operations for the operators of expressions. */
final class BinaryOps {
  private BinaryOps() {}

  /** The comparison by IEEE 754, where it is false for NaN on either side. */
  static BinaryOp binaryOp(Comparison.Operator operator) {
    return switch (operator) {
      case EQUAL -> BinaryOp.EQUAL;
      case LESS -> BinaryOp.LESS;
      case LESS_OR_EQUAL -> BinaryOp.LESS_EQUAL;
      case GREATER -> BinaryOp.GREATER;
      case GREATER_OR_EQUAL -> BinaryOp.GREATER_EQUAL;
    };
  }

  static BinaryOp binaryOp(Logical.Operator operator) {
    return operator == Logical.Operator.AND ? BinaryOp.NULL_LOGICAL_AND : BinaryOp.NULL_LOGICAL_OR;
  }

  static BinaryOp binaryOp(FloatingArithmetic.Operator operator) {
    return switch (operator) {
      case ADD -> BinaryOp.ADD;
      case SUBTRACT -> BinaryOp.SUB;
      case MULTIPLY -> BinaryOp.MUL;
    };
  }

  /** The right side of a device operation: a scalar for a constant, else a column. Owned. */
  record RightOperand(BinaryOperable value, AutoCloseable owned) implements AutoCloseable {
    /**
     * @param left the type of the left side, to which the operand is cast
     */
    static RightOperand of(Constant constant, DType left) {
      Scalar scalar = CudfTypes.scalar(constant.value(), left);
      return new RightOperand(scalar, scalar);
    }

    /**
     * @param column taken over
     * @param left the type of the left side, to which the operand is cast
     */
    static RightOperand of(ColumnVector column, DType left) {
      if (column.getType().equals(left)) {
        return new RightOperand(column, column);
      }
      try (column) {
        ColumnVector cast = column.castTo(left);
        return new RightOperand(cast, cast);
      }
    }

    @Override
    public void close() {
      try {
        owned.close();
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
