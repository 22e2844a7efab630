package io.mooring.parquet.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSInputStream;
import org.apache.hadoop.fs.FileRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Streams are opened so that no read waits for another, and closed whatever happens. */
@Timeout(60)
class FileStreamsTest {
  private static final int READS = 10;
  private static final int BYTES = 1000;

  private final byte[] bytes = new byte[READS * BYTES];
  private final List<Plain> opened = Collections.synchronizedList(new ArrayList<>());
  // Reads wait here for each other: all have to be under way at a time.
  private CountDownLatch together = new CountDownLatch(0);

  FileStreamsTest() {
    new Random(11).nextBytes(bytes);
  }

  /** A stream that is read from where it stands. */
  private class Plain extends FSInputStream {
    private final ByteArrayInputStream in = new ByteArrayInputStream(bytes);
    private final AtomicInteger readers = new AtomicInteger();
    private final AtomicInteger mostReaders = new AtomicInteger();
    private boolean closed;

    void begin() {
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

    @Override
    public int read() {
      throw new UnsupportedOperationException();
    }

    @Override
    public int read(byte[] to, int offset, int length) {
      begin();
      int read = in.read(to, offset, Math.min(length, BYTES));
      readers.decrementAndGet();
      return read;
    }

    @Override
    public void seek(long position) {
      in.reset();
      assertThat(in.skip(position)).isEqualTo(position);
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

  /** As those of stores: it reads on threads of its own, and does not say that it does. */
  private class Vectored extends Plain {
    private final boolean breaksOff;

    Vectored(boolean breaksOff) {
      this.breaksOff = breaksOff;
    }

    @Override
    public void readVectored(List<? extends FileRange> ranges, IntFunction<ByteBuffer> allocate) {
      for (FileRange range : ranges) {
        CompletableFuture<ByteBuffer> data = new CompletableFuture<>();
        range.setData(data);
        Thread thread = new Thread(() -> read(range, allocate, data));
        thread.setDaemon(true);
        thread.start();
      }
    }

    private void read(
        FileRange range, IntFunction<ByteBuffer> allocate, CompletableFuture<ByteBuffer> data) {
      ByteBuffer to = allocate.apply(range.getLength());
      begin();
      readersDone();
      if (breaksOff) {
        to.put(new byte[range.getLength() / 2]);
        data.completeExceptionally(new EOFException("the connection is gone"));
      } else {
        to.put(bytes, (int) range.getOffset(), range.getLength());
        data.complete(to.flip());
      }
    }

    private void readersDone() {
      super.readers.decrementAndGet();
    }
  }

  private FSDataInputStream opened(Plain stream) throws IOException {
    opened.add(stream);
    return new FSDataInputStream(stream);
  }

  private void readAll(FileStreams streams) {
    List<CompletableFuture<Void>> reads = new ArrayList<>();
    for (int i = 0; i < READS; i++) {
      int from = i * BYTES;
      CompletableFuture<Void> read = new CompletableFuture<>();
      reads.add(read);
      new Thread(
              () -> {
                try {
                  assertThat(read(streams, from)).isEqualTo(ByteBuffer.wrap(bytes, from, BYTES));
                  read.complete(null);
                } catch (Throwable e) {
                  read.completeExceptionally(e);
                }
              })
          .start();
    }
    CompletableFuture.allOf(reads.toArray(CompletableFuture[]::new)).join();
  }

  private static ByteBuffer read(FileStreams streams, long from) throws IOException {
    ByteBuffer to = ByteBuffer.allocateDirect(BYTES);
    streams.readFully(from, to);
    return to.position(0);
  }

  @Test
  void readsAtTheSameTimeEachHaveAStream() {
    together = new CountDownLatch(READS);
    try (FileStreams streams = new FileStreams(() -> opened(new Plain()))) {
      readAll(streams);
      assertThat(opened).hasSize(READS).allMatch(stream -> stream.mostReaders.get() == 1);
      readAll(streams);
      assertThat(opened).as("streams are used again").hasSize(READS);
    }
    assertThat(opened).allMatch(stream -> stream.closed);
  }

  @Test
  void vectoredReadsAreFoundWithoutACapabilityAndShareStreams() {
    together = new CountDownLatch(READS);
    try (FileStreams streams = new FileStreams(() -> opened(new Vectored(false)))) {
      readAll(streams);
    }
    assertThat(opened).hasSize(3).allMatch(stream -> stream.mostReaders.get() <= 4);
    assertThat(opened).allMatch(stream -> stream.closed);
  }

  @Test
  void whatBreaksOffIsReadAgainInSequence() throws IOException {
    try (FileStreams streams = new FileStreams(() -> opened(new Vectored(true)))) {
      for (int i = 0; i < READS; i++) {
        int from = i * BYTES;
        assertThat(read(streams, from)).isEqualTo(ByteBuffer.wrap(bytes, from, BYTES));
      }
      assertThatThrownBy(() -> read(streams, bytes.length - 1)).isInstanceOf(EOFException.class);
    }
    assertThat(opened).hasSize(1).allMatch(stream -> stream.closed);
  }
}
