package io.mooring.columnar;

import ai.rapids.cudf.BaseDeviceMemoryBuffer;
import ai.rapids.cudf.ColumnView;
import ai.rapids.cudf.DType;
import io.mooring.columnar.HostColumn.ColumnLayout;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * Gives every part of device columns, nested ones too, a place in one host buffer. Belongs to one
 * thread.
 */
final class DownloadLayout {
  // A cache line, so that no two parts share one.
  static final long ALIGNMENT = 64;

  private final List<Part> parts = new ArrayList<>();
  private long bytes;

  /**
   * A range of bytes that one copy moves.
   *
   * @param source device address
   * @param offset in the host buffer
   */
  record Part(long source, long offset, long length) {}

  List<Part> parts() {
    return parts;
  }

  /** Bytes of the host buffer so far. */
  long bytes() {
    return bytes;
  }

  /**
   * Places a column and its children; the caller still owns the column.
   *
   * @throws IllegalStateException when the column does not match the shape
   */
  PlacedColumn place(ColumnView column, ColumnShape shape) {
    DecodedTypeCheck.check(column, shape);
    boolean nullable = column.getNullCount() > 0;
    DType type = column.getType();
    return new PlacedColumn(
        part(column.getData()),
        nullable ? part(column.getValid()) : -1,
        part(column.getOffsets()),
        (int) column.getNullCount(),
        type.isNestedType() || type.equals(DType.STRING) ? 0 : type.getSizeInBytes(),
        children(column, shape));
  }

  private List<PlacedColumn> children(ColumnView column, ColumnShape shape) {
    if (shape.type() instanceof MapType) {
      // cudf's maps are lists of structs of a key and a value.
      try (ColumnView entries = column.getChildColumnView(0)) {
        DecodedTypeCheck.checkEntries(entries);
        return children(entries, shape.decoded());
      }
    }
    return children(column, shape.decoded());
  }

  private List<PlacedColumn> children(ColumnView column, List<ColumnShape> shapes) {
    List<PlacedColumn> placed = new ArrayList<>();
    for (int i = 0; i < shapes.size(); i++) {
      try (ColumnView child = column.getChildColumnView(i)) {
        placed.add(place(child, shapes.get(i)));
      }
    }
    return placed;
  }

  /** Reserves room for a device buffer: its offset in the host buffer, -1 when there is none. */
  private long part(@Nullable BaseDeviceMemoryBuffer device) {
    if (device == null || device.getLength() == 0) {
      return -1;
    }
    long offset = bytes;
    parts.add(new Part(device.getAddress(), offset, device.getLength()));
    bytes += (device.getLength() + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    return offset;
  }

  /**
   * Checks that a decoded column has the layout in which it will be read: reading another column,
   * or 64-bit offsets as 32-bit ones, would give wrong values instead of an error.
   */
  static final class DecodedTypeCheck {
    private DecodedTypeCheck() {}

    /**
     * Passes a column that can be read as {@code wanted}, without checking its children.
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

    /** Checks the entries of a map. */
    static void checkEntries(ColumnView entries) {
      if (!entries.getType().equals(DType.STRUCT)) {
        throw new IllegalStateException(
            "Decoded was " + entries.getType() + " for a map's entries");
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

  /**
   * The place of a column in a host buffer: offsets from its start, -1 for a part that is missing.
   *
   * @param valueBytes width of a value; 0 where widths differ
   * @param children the columns that the values are made of: of a struct the fields that are there,
   *     of an array the elements, of a map keys and values
   */
  record PlacedColumn(
      long data,
      long validity,
      long offsets,
      int nullCount,
      int valueBytes,
      List<PlacedColumn> children) {

    ColumnLayout at(SharedBuffer buffer) {
      return new ColumnLayout(
          address(buffer, data), address(buffer, validity), address(buffer, offsets), nullCount);
    }

    private static long address(SharedBuffer buffer, long offset) {
      return offset < 0 ? 0 : buffer.address() + offset;
    }
  }
}
