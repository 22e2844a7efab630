package io.mooring.parquet.source;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.fs.FSDataInputStream;

/**
 * Reads from where a stream is put, for streams that know nothing better: as one request, where the
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

  /** S3A asks for so many bytes at once then, where its read policy is for random access. */
  private static void announce(FSDataInputStream in, long bytes) throws IOException {
    try {
      in.setReadahead(bytes);
    } catch (UnsupportedOperationException e) {
      // It reads as it does.
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
