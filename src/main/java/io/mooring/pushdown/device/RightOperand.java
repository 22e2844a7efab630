package io.mooring.pushdown.device;

import ai.rapids.cudf.BinaryOperable;
import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.DType;
import ai.rapids.cudf.Scalar;
import io.mooring.columnar.CudfTypes;
import io.mooring.pushdown.Constant;

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
