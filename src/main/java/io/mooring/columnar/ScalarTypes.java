package io.mooring.columnar;

import java.util.Set;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DecimalType;

/** The types of values that expressions on the GPU take and give, by kind. */
public final class ScalarTypes {
  private static final Set<DataType> INTEGERS =
      Set.of(DataTypes.ByteType, DataTypes.ShortType, DataTypes.IntegerType, DataTypes.LongType);
  private static final Set<DataType> FLOATING = Set.of(DataTypes.FloatType, DataTypes.DoubleType);
  // A string type with another collation than UTF8_BINARY equals none of these.
  private static final Set<DataType> OTHERS =
      Set.of(
          DataTypes.BooleanType, DataTypes.DateType, DataTypes.TimestampType, DataTypes.StringType);

  private ScalarTypes() {}

  /** Whether values of a type can be computed with. */
  public static boolean isSupported(DataType type) {
    return isNumber(type) || OTHERS.contains(type);
  }

  /** Whether values of a type are integers, decimals or floating-point numbers. */
  public static boolean isNumber(DataType type) {
    return isInteger(type) || isFloating(type) || isDecimal(type);
  }

  public static boolean isInteger(DataType type) {
    return INTEGERS.contains(type);
  }

  public static boolean isFloating(DataType type) {
    return FLOATING.contains(type);
  }

  /**
   * Whether a type is a decimal, but not one of the negative scales that a legacy option allows.
   */
  public static boolean isDecimal(DataType type) {
    return type instanceof DecimalType decimal && decimal.scale() >= 0;
  }
}
