package io.mooring.parquet.source;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.fs.FSDataInputStream;

/** Fills direct buffers from a stream, in the best way that the stream supports. */
interface StreamRead {
  /**
   * Fills the buffer, whose position is 0, to its limit with the bytes from {@code offset}. At most
   * {@link #atOnce} threads read one stream at a time.
   *
   * @throws EOFException when the file ends before
   */
  void readFully(FSDataInputStream in, long offset, ByteBuffer to) throws IOException;

  /** How many reads one stream serves at a time without waiting for each other. */
  int atOnce();

  /** The best way that a stream supports. */
  static StreamRead fitting(FSDataInputStream in) {
    // The names are Hadoop's StreamCapabilities, of which older versions lack some.
    if (VectoredRead.isServedBy(in)) {
      return new VectoredRead();
    } else if (in.hasCapability("in:preadbytebuffer")) {
      return new PositionalRead();
    }
    return new SequentialRead(in.hasCapability("in:readbytebuffer"));
  }

  /** Positional reads, which HDFS serves to any number of threads. */
  final class PositionalRead implements StreamRead {
    @Override
    public void readFully(FSDataInputStream in, long offset, ByteBuffer to) throws IOException {
      in.readFully(offset, to);
    }

    @Override
    public int atOnce() {
      return Integer.MAX_VALUE;
    }
  }
}
