package io.mooring.expr.device;

import ai.rapids.cudf.BinaryOp;
import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.DType;
import ai.rapids.cudf.Scalar;
import io.mooring.columnar.CudfTypes;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/** SQL's IN with a list of constants, on a device column of anything but floating-point numbers. */
public final class InLists {
  // Up to here one comparison each is cheaper than building a hash set on the device.
  private static final int FEW = 4;

  private InLists() {}

  /**
   * Whether each value is in a list; null for a null. The caller closes the column.
   *
   * @param list in Spark's internal form, at least one value and none null
   * @param type that the values get on the device
   * @param orNull whether null is in the list as well, so that a value that is not found gives null
   */
  public static ColumnVector in(ColumnVector column, List<?> list, DType type, boolean orNull) {
    try (ColumnVector found =
        list.size() <= FEW ? compared(column, list, type) : hashed(column, list, type)) {
      if (!orNull) {
        return found.incRefCount();
      }
      try (Scalar unknown = Scalar.fromNull(DType.BOOL8)) {
        return found.binaryOp(BinaryOp.NULL_LOGICAL_OR, unknown, DType.BOOL8);
      }
    }
  }

  private static ColumnVector compared(ColumnVector column, List<?> list, DType type) {
    ColumnVector found = equal(column, list.get(0), type);
    for (Object value : list.subList(1, list.size())) {
      try (ColumnVector before = found;
          ColumnVector next = equal(column, value, type)) {
        found = before.binaryOp(BinaryOp.LOGICAL_OR, next, DType.BOOL8);
      }
    }
    return found;
  }

  private static ColumnVector equal(ColumnVector column, Object value, DType type) {
    try (Scalar scalar = CudfTypes.scalar(value, type)) {
      return column.binaryOp(BinaryOp.EQUAL, scalar, DType.BOOL8);
    }
  }

  private static ColumnVector hashed(ColumnVector column, List<?> list, DType type) {
    ColumnVector[] single = new ColumnVector[list.size()];
    try {
      for (int i = 0; i < single.length; i++) {
        try (Scalar scalar = CudfTypes.scalar(list.get(i), type)) {
          single[i] = ColumnVector.fromScalar(scalar, 1);
        }
      }
      try (ColumnVector set = ColumnVector.concatenate(single)) {
        return column.contains(set);
      }
    } finally {
      Arrays.stream(single).filter(Objects::nonNull).forEach(ColumnVector::close);
    }
  }
}
