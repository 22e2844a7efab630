package io.mooring.columnar;

import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;
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
import org.apache.parquet.schema.Type;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * The Parquet types that decode on the GPU to exactly the values that Spark's reader gives for a
 * Spark type. Everything else is Spark's to read.
 */
public final class TypeSupport {
  // The key of Spark's VariantMetadata, which Spark 3.5 does not have.
  private static final String VARIANT_FIELD_KEY = "__VARIANT_METADATA_KEY";

  private TypeSupport() {}

  /** Whether columns of this Spark type can come from the GPU at all. */
  public static boolean supports(DataType type) {
    if (type instanceof StructType struct) {
      return struct.length() > 0
          && !isOfVariant(struct)
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
        || type.equals(DataTypes.TimestampNTZType)
        || type.equals(DataTypes.StringType)
        || type.equals(DataTypes.BinaryType);
  }

  /** Whether a struct is what Spark 4 reads of a {@code VARIANT} column: some of its fields. */
  public static boolean isOfVariant(DataType type) {
    return type instanceof StructType struct
        && Arrays.stream(struct.fields())
            .anyMatch(field -> field.metadata().contains(VARIANT_FIELD_KEY));
  }

  /**
   * The reason why values of a file cannot be decoded to {@code wanted}; null when they can.
   *
   * @param name for the reason: the column, and the part of it that holds the values
   * @param widens whether numbers of a narrower type may be read as {@code wanted}
   */
  public static @Nullable String problem(
      String name, PrimitiveType column, DataType wanted, boolean widens) {
    return new PrimitiveTypeSupport(widens).match(column, wanted)
        ? null
        : misfit(name, column, wanted);
  }

  /** The annotation by which the decoder has to read a column that poses no problem. */
  public static @Nullable LogicalTypeAnnotation decodedAs(PrimitiveType column, DataType wanted) {
    return PrimitiveTypeSupport.decodedAs(column, wanted);
  }

  /** Whether values are decoded by the file's own annotation, and not cast afterwards. */
  public static boolean isDecodedAsWritten(PrimitiveType column, DataType wanted) {
    LogicalTypeAnnotation logical = column.getLogicalTypeAnnotation();
    boolean samePrecision =
        !(logical instanceof DecimalLogicalTypeAnnotation file)
            || !(wanted instanceof DecimalType type)
            || file.getPrecision() == type.precision();
    return samePrecision
        && Objects.equals(decodedAs(column, wanted), logical)
        && !WideningCasts.casts(column, wanted);
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

  /**
   * The Parquet types that Spark's vectorized reader accepts for a Spark type. Where a column's own
   * annotation would make libcudf decode another type, the column is decoded by another annotation.
   */
  private record PrimitiveTypeSupport(boolean widens) {
    private static final int INT_BITS = 32;
    // The type as which Spark reads unsigned integers of 64 bits.
    private static final DataType UNSIGNED_LONG = DataTypes.createDecimalType(20, 0);

    boolean match(PrimitiveType column, DataType wanted) {
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

    private boolean isWide(DataType wanted) {
      return widens && wanted.equals(DataTypes.DoubleType);
    }

    private boolean decimal(DecimalLogicalTypeAnnotation file, DecimalType wanted) {
      return wanted.scale() == file.getScale()
          && (wanted.precision() == file.getPrecision()
              || (widens && wanted.precision() > file.getPrecision()));
    }

    private boolean int32(@Nullable LogicalTypeAnnotation logical, DataType wanted) {
      if (logical instanceof DateLogicalTypeAnnotation) {
        return wanted.equals(DataTypes.DateType);
      } else if (logical != null && !(logical instanceof IntLogicalTypeAnnotation)) {
        return false;
      }
      boolean signed = isSigned(logical);
      int bits = bits(logical);
      if (wanted.equals(DataTypes.LongType)) {
        return widens || (!signed && bits == INT_BITS);
      } else if (wanted.equals(DataTypes.IntegerType)) {
        return signed || bits < INT_BITS;
      } else if (wanted.equals(DataTypes.ShortType)) {
        return bits < (signed ? INT_BITS : 16);
      }
      return (signed && bits == 8 && wanted.equals(DataTypes.ByteType))
          || (signed && isWide(wanted));
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
}
