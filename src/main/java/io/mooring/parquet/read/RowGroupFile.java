package io.mooring.parquet.read;

import ai.rapids.cudf.DeviceMemoryBuffer;
import ai.rapids.cudf.HostMemoryBuffer;
import io.mooring.jni.TransferJni;
import io.mooring.memory.HostMemoryExhaustedException;
import io.mooring.parquet.footer.FooterRewriter;
import io.mooring.parquet.source.FileRange;
import io.mooring.parquet.unit.ReadUnit;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * One row group of a unit as a Parquet file of its own with the unit's columns alone: the magic
 * bytes, the column chunks one after the other, and a tail.
 *
 * @param tail the footer, its length and the magic bytes
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record RowGroupFile(List<Chunk> chunks, byte[] tail) {
  private static final byte[] MAGIC = "PAR1".getBytes(StandardCharsets.US_ASCII);

  /**
   * A column chunk.
   *
   * @param range its bytes in the unit's files; of a sparse chunk as long as it is decoded
   * @param offset of its first byte in this file
   */
  record Chunk(FileRange range, long offset) {}

  /**
   * Lays out the file of a row group.
   *
   * @param rowGroup its index in the unit's footer
   * @throws IOException when the footer cannot be rewritten
   */
  static RowGroupFile of(ReadUnit unit, int rowGroup) throws IOException {
    FooterRewriter whole = unit.rewriter();
    FooterRewriter footer = whole.withoutRowGroups(unit.columns());
    List<Chunk> chunks = new ArrayList<>();
    footer.move(whole, rowGroup, range -> append(range, chunks));
    return new RowGroupFile(List.copyOf(chunks), tail(footer.thrift()));
  }

  /** Appends a column chunk; returns by how many bytes that moves it. */
  private static long append(FileRange range, List<Chunk> chunks) {
    Chunk chunk = new Chunk(range, end(chunks));
    chunks.add(chunk);
    return chunk.offset() - range.offset();
  }

  private static long end(List<Chunk> chunks) {
    if (chunks.isEmpty()) {
      return MAGIC.length;
    }
    Chunk last = chunks.get(chunks.size() - 1);
    return last.offset() + last.range().length();
  }

  private static byte[] tail(byte[] thrift) {
    ByteArrayOutputStream tail = new ByteArrayOutputStream();
    tail.writeBytes(thrift);
    tail.writeBytes(
        ByteBuffer.allocate(Integer.BYTES)
            .order(ByteOrder.LITTLE_ENDIAN)
            .putInt(thrift.length)
            .array());
    tail.writeBytes(MAGIC);
    return tail.toByteArray();
  }

  /** The magic bytes at the beginning. */
  byte[] head() {
    return MAGIC.clone();
  }

  /** The offset of the tail. */
  long tailOffset() {
    return end(chunks);
  }

  /** Bytes of the file. */
  long length() {
    return tailOffset() + tail.length;
  }

  /**
   * Copies the column chunks back from the device and puts the file together in host memory.
   *
   * @param upload of the unit, whose bytes are on the device
   * @return the file's bytes, which the caller closes
   * @throws HostMemoryExhaustedException when the system has no memory for them
   */
  HostMemoryBuffer toHost(UnitUpload upload) {
    HostMemoryBuffer file = allocate(length());
    boolean complete = false;
    try {
      file.setBytes(0, MAGIC, 0, MAGIC.length);
      for (Chunk chunk : chunks) {
        copy(upload, chunk, file);
      }
      file.setBytes(tailOffset(), tail, 0, tail.length);
      complete = true;
      return file;
    } finally {
      if (!complete) {
        file.close();
      }
    }
  }

  /** Takes no memory of the pool: cudf's Java API cannot wrap memory that it did not allocate. */
  private static HostMemoryBuffer allocate(long bytes) {
    try {
      return HostMemoryBuffer.allocateRaw(bytes);
    } catch (OutOfMemoryError e) {
      // An OutOfMemoryError would count as one of the device, for which there are other remedies.
      throw new HostMemoryExhaustedException(
          String.format("The system has no %,d bytes for a row group to decode in chunks", bytes));
    }
  }

  private static void copy(UnitUpload upload, Chunk chunk, HostMemoryBuffer file) {
    try (DeviceMemoryBuffer device = SparseChunkAssembler.columnChunk(upload, chunk.range())) {
      try {
        TransferJni.copyAsync(
            file.getAddress() + chunk.offset(),
            device.getAddress(),
            chunk.range().length(),
            TransferJni.DEVICE_TO_HOST,
            TransferJni.PER_THREAD_STREAM);
      } finally {
        // After a failure too: no memory may be freed while it is copied.
        TransferJni.syncStream(TransferJni.PER_THREAD_STREAM);
      }
    }
  }
}
