package io.mooring.pushdown;

import ai.rapids.cudf.BinaryOperable;
import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.DType;
import ai.rapids.cudf.Scalar;
import io.mooring.columnar.CudfTypes;

/** The right side of a device operation: a scalar for a constant, else a column. Owned. */
record Operand(BinaryOperable value, AutoCloseable owned) implements AutoCloseable {
  /**
   * @param left the type of the other side, which the operand takes
   */
  static Operand of(Constant constant, DType left) {
    Scalar scalar = CudfTypes.scalar(constant.value(), left);
    return new Operand(scalar, scalar);
  }

  /**
   * @param column is the operand's from here on
   * @param left the type of the other side, which the operand takes
   */
  static Operand of(ColumnVector column, DType left) {
    if (column.getType().equals(left)) {
      return new Operand(column, column);
    }
    try (column) {
      ColumnVector cast = column.castTo(left);
      return new Operand(cast, cast);
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
