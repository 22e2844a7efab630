package io.mooring.columnar;

import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.DType;
import ai.rapids.cudf.DecimalUtils;
import ai.rapids.cudf.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.IntLogicalTypeAnnotation;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DecimalType;
import org.jspecify.annotations.Nullable;

/** Decoded columns cast where the file has them narrower than the table, or unsigned. */
public final class WideningCasts {
  private WideningCasts() {}

  /** Whether values of a file are cast once they are decoded. */
  public static boolean casts(PrimitiveType column, DataType wanted) {
    LogicalTypeAnnotation logical = column.getLogicalTypeAnnotation();
    return switch (column.getPrimitiveTypeName()) {
      case INT32 -> wanted.equals(DataTypes.LongType) || wanted.equals(DataTypes.DoubleType);
      case FLOAT -> wanted.equals(DataTypes.DoubleType);
      case INT64 -> logical instanceof IntLogicalTypeAnnotation integer && !integer.isSigned();
      default -> false;
    };
  }

  /**
   * Calls {@code use} with the table after the necessary casts. {@code use} must not keep that
   * table; the caller still owns the original.
   *
   * @param shapes of the table's columns, in order
   * @return what {@code use} returns
   */
  public static <R extends @Nullable Object> R use(
      Table table, List<ColumnShape> shapes, Function<Table, R> use) {
    List<ColumnVector> cast = new ArrayList<>();
    try {
      ColumnVector[] columns = new ColumnVector[shapes.size()];
      for (int i = 0; i < columns.length; i++) {
        columns[i] = table.getColumn(i);
        DType type = wider(columns[i].getType(), shapes.get(i).type());
        if (type != null) {
          columns[i] = columns[i].castTo(type);
          cast.add(columns[i]);
        }
      }
      return cast.isEmpty() ? use.apply(table) : used(columns, use);
    } finally {
      cast.forEach(ColumnVector::close);
    }
  }

  private static <R extends @Nullable Object> R used(
      ColumnVector[] columns, Function<Table, R> use) {
    try (Table widened = new Table(columns)) {
      return use.apply(widened);
    }
  }

  /** The type that a column is cast to; null when it is not cast. */
  static @Nullable DType wider(DType decoded, DataType wanted) {
    if (wanted instanceof DecimalType decimal) {
      DType type = DecimalUtils.createDecimalType(decimal.precision(), decimal.scale());
      boolean narrower = decoded.isDecimalType() && decoded.getScale() == type.getScale();
      return decoded.equals(DType.UINT64) || (narrower && isNarrower(decoded, type)) ? type : null;
    } else if (wanted.equals(DataTypes.LongType)) {
      return decoded.equals(DType.INT32) || decoded.equals(DType.UINT32) ? DType.INT64 : null;
    } else if (wanted.equals(DataTypes.DoubleType)) {
      return decoded.equals(DType.INT32) || decoded.equals(DType.FLOAT32) ? DType.FLOAT64 : null;
    }
    return null;
  }

  private static boolean isNarrower(DType decoded, DType type) {
    return decoded.getSizeInBytes() < type.getSizeInBytes();
  }
}
