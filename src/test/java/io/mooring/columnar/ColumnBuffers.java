package io.mooring.columnar;

import io.mooring.memory.HostBuffer;
import io.mooring.memory.HostMemory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.Consumer;

/** Columns over plain host memory, laid out as libcudf would. */
final class ColumnBuffers {
  private static final int BYTES = 4096;
  static final int OFFSETS_AT = 1024;
  static final int VALIDITY_AT = 2048;

  final HostBuffer host = HostMemory.allocate(BYTES);
  final SharedBuffer shared = new SharedBuffer(host);

  /** Fills the buffer: values at 0, offsets at {@link #OFFSETS_AT}. */
  ColumnBuffers fill(Consumer<ByteBuffer> values) {
    ByteBuffer bytes = ByteBuffer.allocate(BYTES).order(ByteOrder.LITTLE_ENDIAN);
    values.accept(bytes);
    HostMemory.copyIn(bytes.array(), BYTES, host.address());
    return this;
  }

  ColumnLayout layout(int nullCount) {
    long base = host.address();
    return new ColumnLayout(
        base, nullCount == 0 ? 0 : base + VALIDITY_AT, base + OFFSETS_AT, nullCount);
  }
}
