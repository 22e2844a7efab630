package io.mooring.parquet.source;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.fs.ByteBufferPositionedReadable;
import org.apache.hadoop.fs.ByteBufferReadable;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSInputStream;
import org.apache.hadoop.fs.StreamCapabilities;

/** Streams that give a few bytes at a time, and refuse every way of reading but their own. */
final class OneWayStreams {
  private static final int MOST_AT_ONCE = 1013;

  private OneWayStreams() {}

  /** Only {@code read(byte[])}. */
  static class Arrays extends FSInputStream {
    protected final FSDataInputStream local;

    Arrays(FSDataInputStream local) {
      this.local = local;
    }

    @Override
    public int read() throws IOException {
      return local.read();
    }

    @Override
    public int read(byte[] to, int offset, int length) throws IOException {
      return local.read(to, offset, Math.min(length, MOST_AT_ONCE));
    }

    @Override
    public void seek(long position) throws IOException {
      local.seek(position);
    }

    @Override
    public long getPos() throws IOException {
      return local.getPos();
    }

    @Override
    public boolean seekToNewSource(long target) {
      return false;
    }

    @Override
    public void close() throws IOException {
      local.close();
    }
  }

  /** Only {@code read(ByteBuffer)} where the stream stands. */
  static final class Buffers extends Arrays implements ByteBufferReadable, StreamCapabilities {
    Buffers(FSDataInputStream local) {
      super(local);
    }

    @Override
    public boolean hasCapability(String capability) {
      return capability.equals(StreamCapabilities.READBYTEBUFFER);
    }

    @Override
    public int read(ByteBuffer to) throws IOException {
      byte[] some = new byte[Math.min(to.remaining(), MOST_AT_ONCE)];
      int read = local.read(some);
      to.put(some, 0, Math.max(0, read));
      return read;
    }

    @Override
    public int read(byte[] to, int offset, int length) {
      throw new UnsupportedOperationException("arrays");
    }
  }

  /** Only positional reads into buffers. */
  static final class Positions extends Arrays
      implements ByteBufferPositionedReadable, StreamCapabilities {
    Positions(FSDataInputStream local) {
      super(local);
    }

    @Override
    public boolean hasCapability(String capability) {
      return capability.equals(StreamCapabilities.PREADBYTEBUFFER);
    }

    @Override
    public int read(long position, ByteBuffer to) throws IOException {
      byte[] some = new byte[Math.min(to.remaining(), MOST_AT_ONCE)];
      int read = local.read(position, some, 0, some.length);
      to.put(some, 0, Math.max(0, read));
      return read;
    }

    @Override
    public void readFully(long position, ByteBuffer to) throws IOException {
      long at = position - to.position();
      while (to.hasRemaining()) {
        if (read(at + to.position(), to) < 0) {
          throw new EOFException("end of file");
        }
      }
    }

    @Override
    public void seek(long position) {
      throw new UnsupportedOperationException("seek");
    }
  }
}
