package io.mooring.columnar;

import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.DecimalLogicalTypeAnnotation;
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
        || type.equals(DataTypes.TimestampNTZType)
        || type.equals(DataTypes.StringType)
        || type.equals(DataTypes.BinaryType);
  }

  /**
   * Null when values of a file can be decoded to {@code wanted}, else why not.
   *
   * @param name of the column, and of what in it the values are
   */
  public static @Nullable String problem(String name, PrimitiveType column, DataType wanted) {
    return PrimitiveTypeSupport.match(column, wanted) ? null : misfit(name, column, wanted);
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
}
