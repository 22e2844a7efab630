package io.mooring.conformance;

import java.util.List;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.StructType;

/**
 * A column of a random table.
 *
 * @param small numbers are so small that their arithmetic neither overflows nor rounds
 */
record TestColumn(String name, DataType type, boolean small) {
  private static final List<DataType> INTEGERS =
      List.of(DataTypes.ByteType, DataTypes.ShortType, DataTypes.IntegerType, DataTypes.LongType);

  /** Its name in SQL. */
  String sql() {
    return "`" + name.replace("`", "``") + "`";
  }

  boolean isInteger() {
    return INTEGERS.contains(type);
  }

  boolean isFloating() {
    return type.equals(DataTypes.FloatType) || type.equals(DataTypes.DoubleType);
  }

  boolean isDecimal() {
    return type instanceof DecimalType;
  }

  boolean isNumber() {
    return isInteger() || isFloating() || isDecimal();
  }

  boolean isNested() {
    return type instanceof ArrayType || type instanceof MapType || type instanceof StructType;
  }

  boolean is(DataType other) {
    return type.equals(other);
  }

  /** Whether rows can be put in an order by it in which equal values are the same value. */
  boolean hasExactOrder() {
    // Both zeros are equal.
    return !isNested() && (!isFloating() || small);
  }

  /** Whether it adds up to the same in any order and without an overflow. */
  boolean hasExactSum() {
    return isNumber() && (small || (isInteger() && !is(DataTypes.LongType)));
  }
}
