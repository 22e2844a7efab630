package io.mooring.columnar;

import io.mooring.columnar.DownloadLayout.PlacedColumn;
import io.mooring.columnar.HostColumn.ColumnLayout;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import org.apache.spark.sql.execution.vectorized.ConstantColumnVector;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarArray;
import org.apache.spark.sql.vectorized.ColumnarMap;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;

/** Makes Spark's columns of what lies in a host buffer. */
final class HostColumns {
  private HostColumns() {}

  /** A column that keeps the buffer until it is closed. */
  static HostColumn of(ColumnShape shape, SharedBuffer buffer, PlacedColumn placed) {
    DataType type = shape.type();
    ColumnLayout layout = placed.at(buffer);
    if (type instanceof StructType struct) {
      return new StructColumn(struct, buffer, layout, fields(shape, struct, buffer, placed));
    } else if (type instanceof ArrayType array) {
      return new ArrayColumn(array, buffer, layout, decoded(shape, buffer, placed).get(0));
    } else if (type instanceof MapType map) {
      List<HostColumn> entries = decoded(shape, buffer, placed);
      return new MapColumn(map, buffer, layout, entries.get(0), entries.get(1));
    } else if (type instanceof DecimalType decimal) {
      return new DecimalColumn(decimal, buffer, layout, placed.valueBytes());
    } else if (type instanceof StringType || type instanceof BinaryType) {
      return new StringColumn(type, buffer, layout);
    }
    return new FixedWidthColumn(type, buffer, layout);
  }

  private static List<HostColumn> decoded(
      ColumnShape shape, SharedBuffer buffer, PlacedColumn placed) {
    List<HostColumn> columns = new ArrayList<>();
    List<ColumnShape> shapes = shape.decoded();
    for (int i = 0; i < shapes.size(); i++) {
      columns.add(of(shapes.get(i), buffer, placed.children().get(i)));
    }
    return columns;
  }

  private static List<ColumnVector> fields(
      ColumnShape shape, StructType struct, SharedBuffer buffer, PlacedColumn placed) {
    Iterator<HostColumn> decoded = decoded(shape, buffer, placed).iterator();
    List<ColumnVector> fields = new ArrayList<>();
    for (int i = 0; i < struct.length(); i++) {
      StructField field = struct.fields()[i];
      boolean there = Objects.nonNull(shape.parts().get(i));
      fields.add(there ? decoded.next() : nulls(field.dataType()));
    }
    return fields;
  }

  /** A column of nulls, which may be read at any row. */
  private static ColumnVector nulls(DataType type) {
    ConstantColumnVector column = new ConstantColumnVector(1, type);
    column.setNull();
    return column;
  }

  /** Arrays: 32-bit offsets into the elements of all rows. */
  private static final class ArrayColumn extends HostColumn {
    private final RowOffsets offsets;
    private final ColumnVector elements;

    /** Takes over {@code elements}. */
    ArrayColumn(ArrayType type, SharedBuffer buffer, ColumnLayout layout, ColumnVector elements) {
      super(type, buffer, layout, List.of(elements));
      this.offsets = new RowOffsets(layout.offsetsAddress());
      this.elements = elements;
    }

    @Override
    public @Nullable ColumnarArray getArray(int row) {
      return isNullAt(row)
          ? null
          : new ColumnarArray(elements, offsets.start(row), offsets.length(row));
    }
  }

  /** Maps: 32-bit offsets into the keys and values of all rows. */
  private static final class MapColumn extends HostColumn {
    private final RowOffsets offsets;
    private final ColumnVector keys;
    private final ColumnVector values;

    /** Takes over {@code keys} and {@code values}. */
    MapColumn(
        MapType type,
        SharedBuffer buffer,
        ColumnLayout layout,
        ColumnVector keys,
        ColumnVector values) {
      super(type, buffer, layout, List.of(keys, values));
      this.offsets = new RowOffsets(layout.offsetsAddress());
      this.keys = keys;
      this.values = values;
    }

    @Override
    public @Nullable ColumnarMap getMap(int row) {
      return isNullAt(row)
          ? null
          : new ColumnarMap(keys, values, offsets.start(row), offsets.length(row));
    }
  }

  /** Structs: a column for each field, with a row for each struct, null ones too. */
  private static final class StructColumn extends HostColumn {
    private final ColumnVector[] fields;

    /** Takes over {@code fields}. */
    StructColumn(
        StructType type, SharedBuffer buffer, ColumnLayout layout, List<ColumnVector> fields) {
      super(type, buffer, layout, fields);
      this.fields = fields.toArray(ColumnVector[]::new);
    }

    @Override
    public ColumnVector getChild(int ordinal) {
      return fields[ordinal];
    }
  }

  /** Strings and binary: 32-bit offsets into one run of bytes. */
  static final class StringColumn extends HostColumn {
    private final long bytes;
    private final RowOffsets offsets;

    StringColumn(DataType type, SharedBuffer buffer, ColumnLayout layout) {
      super(type, buffer, layout);
      this.bytes = layout.dataAddress();
      this.offsets = new RowOffsets(layout.offsetsAddress());
    }

    @Override
    public @Nullable UTF8String getUTF8String(int row) {
      if (isNullAt(row)) {
        return null;
      }
      int length = offsets.length(row);
      return length == 0
          ? UTF8String.EMPTY_UTF8
          : UTF8String.fromAddress(null, bytes + offsets.start(row), length);
    }

    @Override
    public byte @Nullable [] getBinary(int row) {
      if (isNullAt(row)) {
        return null;
      }
      byte[] copy = new byte[offsets.length(row)];
      long start = bytes + offsets.start(row);
      Platform.copyMemory(null, start, copy, Platform.BYTE_ARRAY_OFFSET, copy.length);
      return copy;
    }
  }

  /** Booleans (a byte each), integers, floats, dates and timestamps. */
  static final class FixedWidthColumn extends HostColumn {
    private final long data;

    FixedWidthColumn(DataType type, SharedBuffer buffer, ColumnLayout layout) {
      super(type, buffer, layout);
      this.data = layout.dataAddress();
    }

    @Override
    public boolean getBoolean(int row) {
      return Platform.getByte(null, data + row) != 0;
    }

    @Override
    public byte getByte(int row) {
      return Platform.getByte(null, data + row);
    }

    @Override
    public short getShort(int row) {
      return Platform.getShort(null, data + 2L * row);
    }

    @Override
    public int getInt(int row) {
      return Platform.getInt(null, data + 4L * row);
    }

    @Override
    public long getLong(int row) {
      return Platform.getLong(null, data + 8L * row);
    }

    @Override
    public float getFloat(int row) {
      return Platform.getFloat(null, data + 4L * row);
    }

    @Override
    public double getDouble(int row) {
      return Platform.getDouble(null, data + 8L * row);
    }
  }

  /**
   * The offsets at which the parts of each row begin: 32 bits each, one more than there are rows.
   */
  private record RowOffsets(long address) {
    int start(int row) {
      return Platform.getInt(null, address + 4L * row);
    }

    int length(int row) {
      return start(row + 1) - start(row);
    }
  }
}
