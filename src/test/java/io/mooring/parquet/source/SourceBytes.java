package io.mooring.parquet.source;

import io.mooring.memory.HostBuffer;
import io.mooring.memory.HostMemory;
import java.io.IOException;
import org.apache.spark.unsafe.Platform;

/** Bytes of files as a source reads them into host memory, on the heap. */
final class SourceBytes {
  private SourceBytes() {}

  static byte[] read(FileSource source, long from, int length) throws IOException {
    try (HostBuffer buffer = HostMemory.allocate(length)) {
      source.readFully(from, buffer.address(), length);
      byte[] copy = new byte[length];
      Platform.copyMemory(null, buffer.address(), copy, Platform.BYTE_ARRAY_OFFSET, length);
      return copy;
    }
  }
}
