package io.mooring.columnar;

import java.util.Arrays;
import java.util.Locale;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.DateLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.DecimalLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.IntLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.StringLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimeUnit;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimestampLogicalTypeAnnotation;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.Type;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * Which Parquet types decode on the GPU to exactly the values that Spark's reader gives for a Spark
 * type. Everything else is Spark's to read.
 */
public final class TypeSupport {
  private TypeSupport() {}

  /** Whether columns of this Spark type can come from the GPU at all. */
  public static boolean supports(DataType type) {
    if (type instanceof StructType struct) {
      return struct.length() > 0
          && Arrays.stream(struct.fields()).allMatch(field -> supports(field.dataType()));
    } else if (type instanceof ArrayType array) {
      return supports(array.elementType());
    } else if (type instanceof MapType map) {
      return supports(map.keyType()) && supports(map.valueType());
    }
    return type instanceof DecimalType
        || type.equals(DataTypes.BooleanType)
        || type.equals(DataTypes.ByteType)
        || type.equals(DataTypes.ShortType)
        || type.equals(DataTypes.IntegerType)
        || type.equals(DataTypes.LongType)
        || type.equals(DataTypes.FloatType)
        || type.equals(DataTypes.DoubleType)
        || type.equals(DataTypes.DateType)
        || type.equals(DataTypes.TimestampType)
        || type.equals(DataTypes.StringType)
        || type.equals(DataTypes.BinaryType);
  }

  /**
   * Null when values of a file can be decoded to {@code wanted}, else why not.
   *
   * @param name of the column, and of what in it the values are
   */
  public static @Nullable String problem(String name, PrimitiveType column, DataType wanted) {
    return matches(column, wanted) ? null : misfit(name, column, wanted);
  }

  /** Says that a part of a file's schema is read as something that it is not. */
  public static String misfit(String name, Type column, DataType wanted) {
    return "column " + name + " is " + shown(column) + " and is read as " + wanted.sql();
  }

  private static String shown(Type column) {
    if (column.isPrimitive()) {
      return column.toString();
    }
    LogicalTypeAnnotation logical = column.getLogicalTypeAnnotation();
    String group = column.getRepetition().name().toLowerCase(Locale.ROOT) + " group";
    return logical == null ? group : group + " (" + logical + ")";
  }

  private static boolean matches(PrimitiveType column, DataType wanted) {
    LogicalTypeAnnotation logical = column.getLogicalTypeAnnotation();
    if (logical instanceof DecimalLogicalTypeAnnotation decimal) {
      return wanted instanceof DecimalType type
          && type.precision() == decimal.getPrecision()
          && type.scale() == decimal.getScale();
    }
    return switch (column.getPrimitiveTypeName()) {
      case BOOLEAN -> wanted.equals(DataTypes.BooleanType);
      case FLOAT -> logical == null && wanted.equals(DataTypes.FloatType);
      case DOUBLE -> logical == null && wanted.equals(DataTypes.DoubleType);
      case INT32 -> int32(logical, wanted);
      case INT64 -> int64(logical, wanted);
      case INT96 -> wanted.equals(DataTypes.TimestampType);
      case BINARY -> binary(logical, wanted);
      case FIXED_LEN_BYTE_ARRAY -> false;
    };
  }

  private static boolean int32(@Nullable LogicalTypeAnnotation logical, DataType wanted) {
    if (logical instanceof DateLogicalTypeAnnotation) {
      return wanted.equals(DataTypes.DateType);
    } else if (logical instanceof IntLogicalTypeAnnotation integer) {
      return integer.isSigned()
          && switch (integer.getBitWidth()) {
            case 8 -> wanted.equals(DataTypes.ByteType);
            case 16 -> wanted.equals(DataTypes.ShortType);
            default -> wanted.equals(DataTypes.IntegerType);
          };
    }
    return logical == null && wanted.equals(DataTypes.IntegerType);
  }

  private static boolean int64(@Nullable LogicalTypeAnnotation logical, DataType wanted) {
    if (logical instanceof TimestampLogicalTypeAnnotation timestamp) {
      return timestamp.isAdjustedToUTC()
          && timestamp.getUnit() != TimeUnit.NANOS
          && wanted.equals(DataTypes.TimestampType);
    } else if (logical instanceof IntLogicalTypeAnnotation integer) {
      return integer.isSigned() && wanted.equals(DataTypes.LongType);
    }
    return logical == null && wanted.equals(DataTypes.LongType);
  }

  private static boolean binary(@Nullable LogicalTypeAnnotation logical, DataType wanted) {
    boolean plain = logical == null || logical instanceof StringLogicalTypeAnnotation;
    return plain && (wanted.equals(DataTypes.StringType) || wanted.equals(DataTypes.BinaryType));
  }
}
