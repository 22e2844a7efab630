package io.mooring.columnar;

import org.apache.spark.sql.types.DataType;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;

/** Strings and binary: 32-bit offsets into one run of bytes. */
final class StringColumn extends HostColumn {
  private final long bytes;
  private final long offsets;

  StringColumn(DataType type, SharedBuffer buffer, ColumnLayout layout) {
    super(type, buffer, layout);
    this.bytes = layout.dataAddress();
    this.offsets = layout.offsetsAddress();
  }

  private int offset(int row) {
    return Platform.getInt(null, offsets + 4L * row);
  }

  @Override
  public @Nullable UTF8String getUTF8String(int row) {
    if (isNullAt(row)) {
      return null;
    }
    int start = offset(row);
    int length = offset(row + 1) - start;
    return length == 0
        ? UTF8String.EMPTY_UTF8
        : UTF8String.fromAddress(null, bytes + start, length);
  }

  @Override
  public byte @Nullable [] getBinary(int row) {
    if (isNullAt(row)) {
      return null;
    }
    int start = offset(row);
    byte[] copy = new byte[offset(row + 1) - start];
    Platform.copyMemory(null, bytes + start, copy, Platform.BYTE_ARRAY_OFFSET, copy.length);
    return copy;
  }
}
