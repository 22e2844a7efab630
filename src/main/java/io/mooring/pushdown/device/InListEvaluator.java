package io.mooring.pushdown.device;

import ai.rapids.cudf.BinaryOp;
import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.DType;
import ai.rapids.cudf.Scalar;
import io.mooring.columnar.CudfTypes;
import io.mooring.pushdown.Constant;
import io.mooring.pushdown.In;
import java.util.Arrays;
import java.util.List;

/** Whether the values of a device column are in a list of constants. */
final class InListEvaluator {
  // Up to here one comparison each is cheaper than building a hash set on the device.
  private static final int FEW = 4;

  private InListEvaluator() {}

  static ColumnVector in(ColumnVector column, In in) {
    try (ColumnVector found =
        in.values().size() <= FEW
            ? compared(column, in.values())
            : contained(column, in.values())) {
      if (!in.orNull()) {
        return found.incRefCount();
      }
      try (Scalar unknown = Scalar.fromNull(DType.BOOL8)) {
        return found.binaryOp(BinaryOp.NULL_LOGICAL_OR, unknown, DType.BOOL8);
      }
    }
  }

  private static ColumnVector compared(ColumnVector column, List<Constant> values) {
    ColumnVector found = equal(column, values.get(0));
    for (Constant candidate : values.subList(1, values.size())) {
      try (ColumnVector before = found;
          ColumnVector next = equal(column, candidate)) {
        found = before.binaryOp(BinaryOp.LOGICAL_OR, next, DType.BOOL8);
      }
    }
    return found;
  }

  private static ColumnVector equal(ColumnVector column, Constant candidate) {
    try (Scalar scalar = CudfTypes.scalar(candidate.value(), column.getType())) {
      return column.binaryOp(BinaryOp.EQUAL, scalar, DType.BOOL8);
    }
  }

  private static ColumnVector contained(ColumnVector column, List<Constant> values) {
    ColumnVector[] single = new ColumnVector[values.size()];
    try {
      for (int i = 0; i < single.length; i++) {
        try (Scalar scalar = CudfTypes.scalar(values.get(i).value(), column.getType())) {
          single[i] = ColumnVector.fromScalar(scalar, 1);
        }
      }
      try (ColumnVector list = ColumnVector.concatenate(single)) {
        return column.contains(list);
      }
    } finally {
      Arrays.stream(single).filter(made -> made != null).forEach(ColumnVector::close);
    }
  }
}
