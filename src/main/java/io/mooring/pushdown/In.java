package io.mooring.pushdown;

import ai.rapids.cudf.BinaryOp;
import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.DType;
import ai.rapids.cudf.Scalar;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.catalyst.util.TypeUtils;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.jspecify.annotations.Nullable;
import scala.math.Ordering;

/**
 * Whether a value is in a list of constants; no floating-point numbers.
 *
 * @param values of the child's type, none null
 * @param orNull the list holds null too, so that whatever is not found is null
 */
record In(Expr child, List<Constant> values, boolean orNull) implements Expr {
  // Up to here one comparison each is cheaper than building a hash set on the device.
  private static final int FEW = 4;

  @Override
  public DataType type() {
    return DataTypes.BooleanType;
  }

  @Override
  public List<Expr> children() {
    return List.of(child);
  }

  @Override
  public Expr withChildren(List<Expr> children) {
    return new In(children.get(0), values, orNull);
  }

  @Override
  public @Nullable Object onRow(RowColumns row) {
    Object value = child.onRow(row);
    if (value == null) {
      return null;
    }
    Ordering<Object> ordering = TypeUtils.getInterpretedOrdering(child.type());
    for (Constant candidate : values) {
      if (ordering.compare(value, candidate.value()) == 0) {
        return true;
      }
    }
    return orNull ? null : false;
  }

  @Override
  public ColumnVector onDevice(DeviceColumns columns) {
    try (ColumnVector column = child.onDevice(columns);
        ColumnVector found = values.size() <= FEW ? compared(column) : contained(column)) {
      if (!orNull) {
        return found.incRefCount();
      }
      try (Scalar unknown = Scalar.fromNull(DType.BOOL8)) {
        return found.binaryOp(BinaryOp.NULL_LOGICAL_OR, unknown, DType.BOOL8);
      }
    }
  }

  private ColumnVector compared(ColumnVector column) {
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
    try (Scalar scalar = DeviceTypes.scalar(candidate, column.getType())) {
      return column.binaryOp(BinaryOp.EQUAL, scalar, DType.BOOL8);
    }
  }

  private ColumnVector contained(ColumnVector column) {
    ColumnVector[] single = new ColumnVector[values.size()];
    try {
      for (int i = 0; i < single.length; i++) {
        try (Scalar scalar = DeviceTypes.scalar(values.get(i), column.getType())) {
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
