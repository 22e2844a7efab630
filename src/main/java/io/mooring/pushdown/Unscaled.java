package io.mooring.pushdown;

import java.util.List;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.Metadata;
import org.apache.spark.sql.types.MetadataBuilder;
import org.apache.spark.sql.types.StructField;
import org.jspecify.annotations.Nullable;

/**
 * A decimal without its point, as a long: Spark's optimizer sums and averages short decimals so.
 * Spark has no words for it where it pushes down; a column that no file has stands for it.
 */
public record Unscaled(Expr child) implements Expr {
  private static final String COLUMN_KEY = "mooring.unscaled";

  /** Whether a decimal of this type has one. */
  public static boolean has(DataType type) {
    return type instanceof DecimalType decimal && decimal.precision() <= Decimal.MAX_LONG_DIGITS();
  }

  /** Whether a decimal of this type has one of so few digits that no sum of them overflows. */
  public static boolean hasSafeSum(DataType type) {
    return type instanceof DecimalType decimal && decimal.precision() <= Decimal.MAX_INT_DIGITS();
  }

  /** The column that stands for the unscaled values of another. */
  public static StructField standIn(StructField column) {
    Metadata metadata = new MetadataBuilder().putString(COLUMN_KEY, column.name()).build();
    String name = "unscaled(" + column.name() + ")";
    return new StructField(name, DataTypes.LongType, column.nullable(), metadata);
  }

  /** The name of the column that this one stands for; null for a column of the files. */
  static @Nullable String standsFor(StructField column) {
    return column.metadata().contains(COLUMN_KEY) ? column.metadata().getString(COLUMN_KEY) : null;
  }

  @Override
  public DataType type() {
    return DataTypes.LongType;
  }

  @Override
  public List<Expr> children() {
    return List.of(child);
  }

  @Override
  public Expr withChildren(List<Expr> children) {
    return new Unscaled(children.get(0));
  }

  @Override
  public @Nullable Object onRow(RowColumns row) {
    Decimal value = (Decimal) child.onRow(row);
    return value == null ? null : value.toUnscaledLong();
  }
}
