package io.mooring.parquet.verify;

import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;

/** The sizes of plain values of a column, and the encodings of its type. Immutable. */
final class PlainSizes {
  private final PrimitiveType type;

  PlainSizes(ColumnDescriptor column) {
    this.type = column.getPrimitiveType();
  }

  /** Whether so many values fit into so many bytes. */
  boolean canHold(int values, long bytes) {
    return leastBits(values) <= bytes * Byte.SIZE;
  }

  /** Whether so many values can fill so many bytes. */
  boolean isExactly(int values, long bytes) {
    return type.getPrimitiveTypeName() == PrimitiveTypeName.BINARY
        ? canHold(values, bytes)
        : leastBits(values) == bytes * Byte.SIZE;
  }

  private long leastBits(int values) {
    return switch (type.getPrimitiveTypeName()) {
      case BOOLEAN -> values;
        // An empty string is its length.
      case INT32, FLOAT, BINARY -> (long) values * Integer.SIZE;
      case INT64, DOUBLE -> (long) values * Long.SIZE;
      case INT96 -> values * 96L;
      case FIXED_LEN_BYTE_ARRAY -> (long) values * type.getTypeLength() * Byte.SIZE;
    };
  }

  /** Whether the format has an encoding for the column's type. */
  boolean supports(Encoding encoding) {
    PrimitiveTypeName name = type.getPrimitiveTypeName();
    return switch (encoding) {
      case PLAIN -> true;
      case PLAIN_DICTIONARY, RLE_DICTIONARY -> name != PrimitiveTypeName.BOOLEAN;
      case RLE -> name == PrimitiveTypeName.BOOLEAN;
      case DELTA_BINARY_PACKED ->
          name == PrimitiveTypeName.INT32 || name == PrimitiveTypeName.INT64;
      case DELTA_LENGTH_BYTE_ARRAY -> name == PrimitiveTypeName.BINARY;
      case DELTA_BYTE_ARRAY ->
          name == PrimitiveTypeName.BINARY || name == PrimitiveTypeName.FIXED_LEN_BYTE_ARRAY;
      case BYTE_STREAM_SPLIT ->
          name != PrimitiveTypeName.BOOLEAN
              && name != PrimitiveTypeName.BINARY
              && name != PrimitiveTypeName.INT96;
      default -> false;
    };
  }
}
