package io.mooring.parquet.source;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.fs.FSDataInputStream;

/** A way to fill a direct buffer from a stream that several threads share. Thread-safe. */
interface StreamRead {
  /**
   * Fills the buffer to its limit with the bytes from {@code offset}.
   *
   * @throws EOFException when the file ends before
   */
  void readFully(FSDataInputStream in, long offset, ByteBuffer to) throws IOException;

  /** The best way that a stream says it has. */
  static StreamRead fitting(FSDataInputStream in) {
    // The names are Hadoop's StreamCapabilities, of which older versions lack some.
    if (in.hasCapability("in:readvectored")) {
      return new VectoredRead();
    } else if (in.hasCapability("in:preadbytebuffer")) {
      return FSDataInputStream::readFully;
    }
    return in.hasCapability("in:readbytebuffer") ? StreamRead::seekAndRead : new HeapCopyRead();
  }

  private static void seekAndRead(FSDataInputStream in, long offset, ByteBuffer to)
      throws IOException {
    // A stream has one position.
    synchronized (in) {
      in.seek(offset);
      while (to.hasRemaining()) {
        if (in.read(to) < 0) {
          throw new EOFException(to.remaining() + " bytes are missing");
        }
      }
    }
  }
}
