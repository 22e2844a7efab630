package io.mooring.stage.replicated;

import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;

/**
 * Writes rows and their keys to a file. Each record has the position of the next row of the same
 * key, the sizes of key and row, and their bytes; none lies in two segments. Not thread-safe.
 */
final class RowRecordWriter implements AutoCloseable {
  /** The position of the first record: zero stands for no record. */
  static final long START = Long.BYTES;

  static final int KEY_SIZE = Long.BYTES;
  static final int ROW_SIZE = KEY_SIZE + Integer.BYTES;
  static final int HEADER = ROW_SIZE + Integer.BYTES;

  private static final int BUFFER = 1 << 20;

  private final DataOutputStream out;
  private final ByteBuffer header = ByteBuffer.allocate(HEADER).order(ByteOrder.nativeOrder());
  // A buffer for rows outside of the heap.
  private final byte[] copied = new byte[4096];
  private final long segment;
  private long end = START;
  private long count;

  RowRecordWriter(Path file, int segmentBits) throws IOException {
    this.out = new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(file), BUFFER));
    this.segment = 1L << segmentBits;
    out.write(new byte[(int) START]);
  }

  /**
   * Adds a row.
   *
   * @throws IOException when the disk is full, or the row larger than a segment
   */
  void add(UnsafeRow key, UnsafeRow row) throws IOException {
    long bytes = (long) HEADER + key.getSizeInBytes() + row.getSizeInBytes();
    if (bytes > segment) {
      throw new IOException("A row of a build side has " + row.getSizeInBytes() + " bytes");
    }
    long left = segment - end % segment;
    if (bytes > left) {
      pad(left);
    }
    header.putInt(KEY_SIZE, key.getSizeInBytes()).putInt(ROW_SIZE, row.getSizeInBytes());
    out.write(header.array());
    key.writeToStream(out, copied);
    row.writeToStream(out, copied);
    end += bytes;
    count++;
  }

  /**
   * Fills a segment. A negative key size marks the rest as empty, if there is room for a header.
   */
  private void pad(long bytes) throws IOException {
    if (bytes >= HEADER) {
      header.putInt(KEY_SIZE, -1);
      out.write(header.array());
      bytes -= HEADER;
      end += HEADER;
    }
    for (long i = 0; i < bytes; i++) {
      out.write(0);
    }
    end += bytes;
  }

  /** The number of records. */
  long count() {
    return count;
  }

  /** The end of the last record. */
  long end() {
    return end;
  }

  @Override
  public void close() throws IOException {
    out.close();
  }
}
