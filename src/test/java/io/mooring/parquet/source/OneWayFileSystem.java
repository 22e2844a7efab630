package io.mooring.parquet.source;

import io.mooring.testing.SchemeFileSystem;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.ByteBufferPositionedReadable;
import org.apache.hadoop.fs.ByteBufferReadable;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StreamCapabilities;

/**
 * Local files whose streams give a few bytes at a time, and refuse every way of reading but the one
 * that the scheme names.
 */
public final class OneWayFileSystem extends SchemeFileSystem {
  static final List<String> SCHEMES = List.of("arrays", "buffers", "positions", "vectors");
  private static final int MOST_AT_ONCE = 1013;

  static Configuration configuration() {
    Configuration conf = new Configuration();
    for (String scheme : SCHEMES) {
      conf.setClass(
          "fs." + scheme + ".impl", OneWayFileSystem.class, org.apache.hadoop.fs.FileSystem.class);
    }
    return conf;
  }

  @Override
  protected InputStream wrapped(Path path, FSDataInputStream local) {
    return switch (getUri().getScheme()) {
      case "arrays" -> new Arrays(local);
      case "buffers" -> new Buffers(local);
      case "positions" -> new Positions(local);
      default -> local;
    };
  }

  /** Only {@code read(byte[])}. */
  private static class Arrays extends FSInputStream {
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
  private static final class Buffers extends Arrays
      implements ByteBufferReadable, StreamCapabilities {
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
  private static final class Positions extends Arrays
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
