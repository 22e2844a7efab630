package io.mooring.parquet.source;

import java.io.ByteArrayInputStream;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.fs.FSInputStream;

/** A stream of bytes in memory, read from where it stands, that counts how many read at a time. */
class CountedStream extends FSInputStream {
  private static final int MOST_AT_ONCE = 1013;

  private final ByteArrayInputStream in;
  private final CountDownLatch together;
  private final AtomicInteger readers = new AtomicInteger();
  private final AtomicInteger mostReaders = new AtomicInteger();
  private volatile boolean closed;

  /**
   * @param together that each read counts down and waits for
   */
  CountedStream(byte[] bytes, CountDownLatch together) {
    this.in = new ByteArrayInputStream(bytes);
    this.together = together;
  }

  int mostReaders() {
    return mostReaders.get();
  }

  boolean isClosed() {
    return closed;
  }

  final void begin() {
    mostReaders.accumulateAndGet(readers.incrementAndGet(), Math::max);
    together.countDown();
    try {
      if (!together.await(30, TimeUnit.SECONDS)) {
        throw new AssertionError("a read waits for another");
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  final void end() {
    readers.decrementAndGet();
  }

  @Override
  public int read() {
    throw new UnsupportedOperationException();
  }

  @Override
  public int read(byte[] to, int offset, int length) {
    begin();
    int read = in.read(to, offset, Math.min(length, MOST_AT_ONCE));
    end();
    return read;
  }

  @Override
  public void seek(long position) {
    in.reset();
    if (in.skip(position) != position) {
      throw new AssertionError("beyond the end: " + position);
    }
  }

  @Override
  public long getPos() {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean seekToNewSource(long target) {
    return false;
  }

  @Override
  public void close() {
    closed = true;
  }
}
