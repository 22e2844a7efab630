package io.mooring.columnar;

import org.apache.spark.sql.types.DataType;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;

/** Strings and binary: 32-bit offsets into one run of bytes. */
final class StringColumn extends HostColumn {
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
