package io.mooring.columnar;

import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.BsonLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.DateLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.DecimalLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.EnumLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.IntLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.JsonLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.StringLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimeUnit;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimestampLogicalTypeAnnotation;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DecimalType;
import org.jspecify.annotations.Nullable;

/**
 * Which values of a file are values of a Spark type, as Spark's reader of batches has it. Where a
 * column's own annotation would have them decoded as something else, it is decoded by another.
 */
final class PrimitiveTypeSupport {
  private static final int INT_BITS = 32;
  // As Spark reads unsigned integers of 64 bits.
  private static final DataType UNSIGNED_LONG = DataTypes.createDecimalType(20, 0);
  // Spark 3 refuses values that are narrower than the table's.
  private static final boolean WIDENS =
      !org.apache.spark.package$.MODULE$.SPARK_VERSION().startsWith("3.");

  private PrimitiveTypeSupport() {}

  static boolean match(PrimitiveType column, DataType wanted) {
    LogicalTypeAnnotation logical = column.getLogicalTypeAnnotation();
    if (logical instanceof DecimalLogicalTypeAnnotation decimal) {
      return wanted instanceof DecimalType type && decimal(decimal, type);
    }
    return switch (column.getPrimitiveTypeName()) {
      case BOOLEAN -> wanted.equals(DataTypes.BooleanType);
      case FLOAT -> logical == null && (wanted.equals(DataTypes.FloatType) || isWide(wanted));
      case DOUBLE -> logical == null && wanted.equals(DataTypes.DoubleType);
      case INT32 -> int32(logical, wanted);
      case INT64 -> int64(logical, wanted);
      case INT96 -> wanted.equals(DataTypes.TimestampType);
      case BINARY -> binary(logical, wanted);
      case FIXED_LEN_BYTE_ARRAY -> false;
    };
  }

  private static boolean isWide(DataType wanted) {
    return WIDENS && wanted.equals(DataTypes.DoubleType);
  }

  private static boolean decimal(DecimalLogicalTypeAnnotation file, DecimalType wanted) {
    return wanted.scale() == file.getScale()
        && (wanted.precision() == file.getPrecision()
            || (WIDENS && wanted.precision() > file.getPrecision()));
  }

  private static boolean int32(@Nullable LogicalTypeAnnotation logical, DataType wanted) {
    if (logical instanceof DateLogicalTypeAnnotation) {
      return wanted.equals(DataTypes.DateType);
    } else if (logical != null && !(logical instanceof IntLogicalTypeAnnotation)) {
      return false;
    }
    boolean signed = isSigned(logical);
    int bits = bits(logical);
    if (wanted.equals(DataTypes.LongType)) {
      return WIDENS || (!signed && bits == INT_BITS);
    } else if (wanted.equals(DataTypes.IntegerType)) {
      return signed || bits < INT_BITS;
    } else if (wanted.equals(DataTypes.ShortType)) {
      return bits < (signed ? INT_BITS : 16);
    }
    return (signed && bits == 8 && wanted.equals(DataTypes.ByteType)) || (signed && isWide(wanted));
  }

  private static boolean isSigned(@Nullable LogicalTypeAnnotation logical) {
    return !(logical instanceof IntLogicalTypeAnnotation integer) || integer.isSigned();
  }

  private static int bits(@Nullable LogicalTypeAnnotation logical) {
    return logical instanceof IntLogicalTypeAnnotation integer ? integer.getBitWidth() : INT_BITS;
  }

  private static boolean int64(@Nullable LogicalTypeAnnotation logical, DataType wanted) {
    if (logical instanceof TimestampLogicalTypeAnnotation timestamp) {
      DataType type =
          timestamp.isAdjustedToUTC() ? DataTypes.TimestampType : DataTypes.TimestampNTZType;
      return timestamp.getUnit() != TimeUnit.NANOS && wanted.equals(type);
    } else if (logical instanceof IntLogicalTypeAnnotation integer) {
      return wanted.equals(integer.isSigned() ? DataTypes.LongType : UNSIGNED_LONG);
    }
    return logical == null && wanted.equals(DataTypes.LongType);
  }

  private static boolean binary(@Nullable LogicalTypeAnnotation logical, DataType wanted) {
    return (isText(logical) || isBytes(logical))
        && (wanted.equals(DataTypes.StringType) || wanted.equals(DataTypes.BinaryType));
  }

  private static boolean isText(@Nullable LogicalTypeAnnotation logical) {
    return logical == null || logical instanceof StringLogicalTypeAnnotation;
  }

  private static boolean isBytes(@Nullable LogicalTypeAnnotation logical) {
    return logical instanceof JsonLogicalTypeAnnotation
        || logical instanceof EnumLogicalTypeAnnotation
        || logical instanceof BsonLogicalTypeAnnotation;
  }

  /** The annotation by which a matching column is decoded. */
  static @Nullable LogicalTypeAnnotation decodedAs(PrimitiveType column, DataType wanted) {
    LogicalTypeAnnotation logical = column.getLogicalTypeAnnotation();
    if (wanted.equals(DataTypes.ShortType)) {
      // Both cut off what is beyond 16 bits.
      return LogicalTypeAnnotation.intType(16, true);
    }
    boolean cut = logical instanceof IntLogicalTypeAnnotation && bits(logical) < INT_BITS;
    return (cut && !wanted.equals(DataTypes.ByteType)) || isBytes(logical) ? null : logical;
  }
}
