package io.mooring.testing;

import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSInputStream;
import org.apache.hadoop.fs.Path;

/** Local files as {@code faulty:/...}, whose reads do first what a test wants of them. */
public final class FaultyFileSystem extends SchemeFileSystem {
  /** The setting of a session that makes the scheme known. */
  public static final String SETTING = "spark.hadoop.fs.faulty.impl";

  private static final AtomicInteger OPEN = new AtomicInteger();
  private static volatile Fault fault = (offset, bytes) -> {};

  /** What happens before a read. */
  public interface Fault {
    void before(long offset, int bytes) throws IOException;
  }

  /** Sets the fault of all later reads in this JVM, of any file and in any thread. */
  public static void set(Fault next) {
    fault = next;
  }

  /** Removes the fault. */
  public static void clear() {
    fault = (offset, bytes) -> {};
  }

  /** Streams that have been opened and not closed. */
  public static int openStreams() {
    return OPEN.get();
  }

  @Override
  protected InputStream wrapped(Path path, FSDataInputStream local) {
    OPEN.incrementAndGet();
    return new FaultyStream(local);
  }

  private static final class FaultyStream extends FSInputStream {
    private final FSDataInputStream local;
    private boolean closed;

    FaultyStream(FSDataInputStream local) {
      this.local = local;
    }

    @Override
    public int read() throws IOException {
      fault.before(local.getPos(), 1);
      return local.read();
    }

    @Override
    public int read(byte[] to, int offset, int length) throws IOException {
      fault.before(local.getPos(), length);
      return local.read(to, offset, length);
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
    public synchronized void close() throws IOException {
      if (!closed) {
        closed = true;
        OPEN.decrementAndGet();
      }
      local.close();
    }
  }
}
