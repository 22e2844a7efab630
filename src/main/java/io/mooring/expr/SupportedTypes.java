package io.mooring.expr;

import java.util.Set;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DecimalType;

/** Types of values that expressions on the GPU may take and give. */
final class SupportedTypes {
  private static final Set<DataType> INTEGERS =
      Set.of(DataTypes.ByteType, DataTypes.ShortType, DataTypes.IntegerType, DataTypes.LongType);
  private static final Set<DataType> FLOATING = Set.of(DataTypes.FloatType, DataTypes.DoubleType);
  // A string type with another collation than UTF8_BINARY equals none of these.
  private static final Set<DataType> OTHERS =
      Set.of(
          DataTypes.BooleanType, DataTypes.StringType, DataTypes.DateType, DataTypes.TimestampType);

  private SupportedTypes() {}

  static boolean isInteger(DataType type) {
    return INTEGERS.contains(type);
  }

  static boolean isFloating(DataType type) {
    return FLOATING.contains(type);
  }

  static boolean isDecimal(DataType type) {
    return type instanceof DecimalType;
  }

  static boolean isNumber(DataType type) {
    return isInteger(type) || isFloating(type) || isDecimal(type);
  }

  static void require(DataType type, Expression expression) throws UnsupportedExpressionException {
    if (!isNumber(type) && !OTHERS.contains(type)) {
      throw new UnsupportedExpressionException(expression.prettyName() + " with " + type.sql());
    }
  }
}
