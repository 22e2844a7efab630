package io.mooring.columnar;

import ai.rapids.cudf.BaseDeviceMemoryBuffer;
import ai.rapids.cudf.ColumnView;
import ai.rapids.cudf.DType;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * Makes sure that a decoded column has the layout in which it will be read: a column taken for
 * another, or 64-bit offsets taken for 32-bit ones, would be wrong values and not an error.
 */
final class DecodedTypeCheck {
  private DecodedTypeCheck() {}

  /**
   * Passes a column that can be read as {@code wanted}, but for its children.
   *
   * @throws IllegalStateException for any other
   */
  static void check(ColumnView column, ColumnShape wanted) {
    DType decoded = column.getType();
    if (!fits(decoded, wanted.type())) {
      throw new IllegalStateException("Decoded was " + decoded + " for " + wanted.type().sql());
    }
    if (wanted.type() instanceof StructType) {
      checkChildren(column, wanted.decoded().size());
    } else if (decoded.equals(DType.STRING)) {
      checkLength(column.getData());
    }
  }

  /** As the other, for the entries of a map. */
  static void checkEntries(ColumnView entries) {
    if (!entries.getType().equals(DType.STRUCT)) {
      throw new IllegalStateException("Decoded was " + entries.getType() + " for a map's entries");
    }
    checkChildren(entries, 2);
  }

  private static void checkChildren(ColumnView column, int wanted) {
    if (column.getNumChildren() != wanted) {
      throw new IllegalStateException(
          "Decoded were " + column.getNumChildren() + " fields for " + wanted);
    }
  }

  private static void checkLength(@Nullable BaseDeviceMemoryBuffer text) {
    if (text != null && text.getLength() > Integer.MAX_VALUE) {
      throw new IllegalStateException("The strings of a unit are too long for 32-bit offsets");
    }
  }

  static boolean fits(DType decoded, DataType wanted) {
    if (wanted instanceof DecimalType decimal) {
      // cudf's scale is the exponent of ten.
      return decoded.isDecimalType() && decoded.getScale() == -decimal.scale();
    } else if (wanted instanceof StructType) {
      return decoded.equals(DType.STRUCT);
    } else if (wanted instanceof ArrayType || wanted instanceof MapType) {
      return decoded.equals(DType.LIST);
    }
    return CudfTypes.hasValuesOf(decoded, wanted);
  }
}
