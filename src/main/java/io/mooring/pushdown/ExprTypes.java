package io.mooring.pushdown;

import java.util.Set;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DecimalType;

/** The types of expressions by kind. */
final class ExprTypes {
  private static final Set<DataType> INTEGRAL =
      Set.of(DataTypes.ByteType, DataTypes.ShortType, DataTypes.IntegerType, DataTypes.LongType);
  private static final Set<DataType> FLOATING = Set.of(DataTypes.FloatType, DataTypes.DoubleType);
  private static final Set<DataType> OTHER =
      Set.of(
          DataTypes.BooleanType, DataTypes.DateType, DataTypes.TimestampType, DataTypes.StringType);

  private ExprTypes() {}

  /** Whether values of the type can be computed with. */
  static boolean supports(DataType type) {
    return type instanceof DecimalType
        || isIntegral(type)
        || isFloating(type)
        || OTHER.contains(type);
  }

  static boolean isFloating(DataType type) {
    return FLOATING.contains(type);
  }

  static boolean isIntegral(DataType type) {
    return INTEGRAL.contains(type);
  }
}
