package io.mooring.parquet.source;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.fs.FSDataInputStream;

/**
 * Seeks and reads, for streams without positional or vectored reads: by one request, where the
 * stream can be told how long the read will be.
 */
final class SequentialRead implements StreamRead {
  private static final int COPY_BYTES = 256 << 10;
  private static final ThreadLocal<byte[]> COPY =
      ThreadLocal.withInitial(() -> new byte[COPY_BYTES]);

  private final boolean takesBuffers;

  /**
   * @param takesBuffers whether the stream reads into buffers, not into arrays alone
   */
  SequentialRead(boolean takesBuffers) {
    this.takesBuffers = takesBuffers;
  }

  @Override
  public void readFully(FSDataInputStream in, long offset, ByteBuffer to) throws IOException {
    announce(in, to.remaining());
    in.seek(offset);
    while (to.hasRemaining()) {
      int read = takesBuffers ? in.read(to) : readByCopy(in, to);
      if (read < 0) {
        throw new EOFException(to.remaining() + " bytes are missing");
      }
    }
  }

  /** Tells the length of the read; S3A with a random read policy then requests it at once. */
  static void announce(FSDataInputStream in, long bytes) {
    try {
      in.setReadahead(bytes);
    } catch (IOException | UnsupportedOperationException e) {
      // The stream has no read-ahead to set.
    }
  }

  private static int readByCopy(FSDataInputStream in, ByteBuffer to) throws IOException {
    byte[] copy = COPY.get();
    int read = in.read(copy, 0, Math.min(copy.length, to.remaining()));
    if (read > 0) {
      to.put(copy, 0, read);
    }
    return read;
  }

  @Override
  public int atOnce() {
    return 1;
  }
}
