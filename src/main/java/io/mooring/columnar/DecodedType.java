package io.mooring.columnar;

import ai.rapids.cudf.BaseDeviceMemoryBuffer;
import ai.rapids.cudf.BufferType;
import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.DType;
import java.util.Map;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DecimalType;

/**
 * Makes sure that a decoded column has the layout in which it will be read: a column taken for
 * another, or 64-bit offsets taken for 32-bit ones, would be wrong values and not an error.
 */
final class DecodedType {
  private static final Map<DataType, DType> EXPECTED =
      Map.ofEntries(
          Map.entry(DataTypes.BooleanType, DType.BOOL8),
          Map.entry(DataTypes.ByteType, DType.INT8),
          Map.entry(DataTypes.ShortType, DType.INT16),
          Map.entry(DataTypes.IntegerType, DType.INT32),
          Map.entry(DataTypes.LongType, DType.INT64),
          Map.entry(DataTypes.FloatType, DType.FLOAT32),
          Map.entry(DataTypes.DoubleType, DType.FLOAT64),
          Map.entry(DataTypes.DateType, DType.TIMESTAMP_DAYS),
          Map.entry(DataTypes.TimestampType, DType.TIMESTAMP_MICROSECONDS),
          Map.entry(DataTypes.StringType, DType.STRING),
          Map.entry(DataTypes.BinaryType, DType.STRING));

  private DecodedType() {}

  /**
   * Passes a column that can be read as {@code wanted}.
   *
   * @throws IllegalStateException for any other
   */
  static void check(ColumnVector column, DataType wanted) {
    DType decoded = column.getType();
    if (!fits(decoded, wanted)) {
      throw new IllegalStateException("Decoded was " + decoded + " for " + wanted.sql());
    }
    BaseDeviceMemoryBuffer text = column.getDeviceBufferFor(BufferType.DATA);
    if (decoded.equals(DType.STRING) && text != null && text.getLength() > Integer.MAX_VALUE) {
      throw new IllegalStateException("The strings of a unit are too long for 32-bit offsets");
    }
  }

  static boolean fits(DType decoded, DataType wanted) {
    if (wanted instanceof DecimalType decimal) {
      // cudf's scale is the exponent of ten.
      return decoded.isDecimalType() && decoded.getScale() == -decimal.scale();
    }
    return decoded.equals(EXPECTED.get(wanted));
  }
}
