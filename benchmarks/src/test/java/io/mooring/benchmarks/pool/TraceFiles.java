package io.mooring.benchmarks.pool;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPOutputStream;

/** Traces in the layout of mooring/trace_recorder.hpp. */
final class TraceFiles {

  private static final int RECORD = 32;
  private static final int ALLOCATE = 0;
  private static final int FREE = 1;

  private TraceFiles() {}

  /** One thread allocates blocks of these sizes in turn, another frees each; gzip. */
  static Path write(Path file, int count, long... sizes) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(16 + 2 * count * RECORD).order(ByteOrder.LITTLE_ENDIAN);
    bytes.put("MOORTRC1".getBytes(StandardCharsets.US_ASCII)).putLong(2L * count);
    for (int i = 0; i < count; i++) {
      long address = 4096L * (1 + i % 100);
      put(bytes, 20L * i, address, sizes[i % sizes.length], 0, ALLOCATE);
      put(bytes, 20L * i + 10, address, 0, 1, FREE);
    }
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
      out.write(bytes.array());
    }
    return file;
  }

  private static void put(
      ByteBuffer to, long nanos, long address, long bytes, int thread, int operation) {
    to.putLong(nanos).putLong(address).putLong(bytes).putInt(thread).putInt(operation);
  }
}
