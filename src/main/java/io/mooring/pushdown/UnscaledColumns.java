package io.mooring.pushdown;

import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.Metadata;
import org.apache.spark.sql.types.MetadataBuilder;
import org.apache.spark.sql.types.StructField;
import org.jspecify.annotations.Nullable;

/**
 * Columns in a scan's schema that stand for the unscaled values of its decimals. No file has them:
 * Spark pushes down no expression for an unscaled value, but it pushes down a column.
 */
public final class UnscaledColumns {
  private static final String COLUMN_KEY = "mooring.unscaled";

  private UnscaledColumns() {}

  /** Whether the unscaled values of a type are longs. */
  public static boolean isShortDecimal(DataType type) {
    return type instanceof DecimalType decimal && decimal.precision() <= Decimal.MAX_LONG_DIGITS();
  }

  /** Whether a type has so few digits that no sum of its unscaled values overflows a long. */
  public static boolean hasSafeSum(DataType type) {
    return type instanceof DecimalType decimal && decimal.precision() <= Decimal.MAX_INT_DIGITS();
  }

  /** The column for the unscaled values of another. */
  public static StructField standIn(StructField column) {
    Metadata metadata = new MetadataBuilder().putString(COLUMN_KEY, column.name()).build();
    String name = "unscaled(" + column.name() + ")";
    return new StructField(name, DataTypes.LongType, column.nullable(), metadata);
  }

  /** The name of the decimal that a column stands for; null for a column of the files. */
  static @Nullable String decimalOf(StructField column) {
    return isMarked(column.metadata()) ? column.metadata().getString(COLUMN_KEY) : null;
  }

  /** Whether a column's metadata say that it stands for unscaled values. */
  public static boolean isMarked(Metadata metadata) {
    return metadata.contains(COLUMN_KEY);
  }
}
