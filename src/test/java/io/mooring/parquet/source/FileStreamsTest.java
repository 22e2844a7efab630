package io.mooring.parquet.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThatCode;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.IntFunction;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Streams are opened so that no read waits for another, and closed whatever happens. */
@Timeout(60)
class FileStreamsTest {
  private static final int READS = 10;
  private static final int BYTES = 1000;

  private final byte[] bytes = new byte[READS * BYTES];
  private final List<CountedStream> opened = Collections.synchronizedList(new ArrayList<>());
  // Reads wait here for each other: all have to be under way at a time.
  private CountDownLatch together = new CountDownLatch(0);

  FileStreamsTest() {
    new Random(11).nextBytes(bytes);
  }

  private FSDataInputStream opened(CountedStream stream) throws IOException {
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
    try (FileStreams streams = new FileStreams(() -> opened(new CountedStream(bytes, together)))) {
      readAll(streams);
      assertThat(opened).hasSize(READS).allMatch(stream -> stream.mostReaders() == 1);
      readAll(streams);
      assertThat(opened).as("streams are used again").hasSize(READS);
    }
    assertThat(opened).allMatch(CountedStream::isClosed);
  }

  /** From Hadoop 3.3.5 on, which Spark 3.5 does not have. */
  private static void assumeVectors() {
    assumeThatCode(() -> Class.forName("org.apache.hadoop.fs.FileRange"))
        .doesNotThrowAnyException();
  }

  @Test
  void vectoredReadsAreFoundWithoutACapabilityAndShareStreams() {
    assumeVectors();
    together = new CountDownLatch(READS);
    try (FileStreams streams =
        new FileStreams(() -> opened(new CountedVectors(bytes, together, false)))) {
      readAll(streams);
    }
    assertThat(opened).hasSize(3).allMatch(stream -> stream.mostReaders() <= 4);
    assertThat(opened).allMatch(CountedStream::isClosed);
  }

  @Test
  void brokenVectoredRead_isReadAgainSequentially() throws IOException {
    assumeVectors();
    try (FileStreams streams =
        new FileStreams(() -> opened(new CountedVectors(bytes, together, true)))) {
      for (int i = 0; i < READS; i++) {
        int from = i * BYTES;
        assertThat(read(streams, from)).isEqualTo(ByteBuffer.wrap(bytes, from, BYTES));
      }
      assertThatThrownBy(() -> read(streams, bytes.length - 1)).isInstanceOf(EOFException.class);
    }
    assertThat(opened).hasSize(1).allMatch(CountedStream::isClosed);
  }

  /**
   * A stream as those of stores are: it reads ranges by threads of its own, and does not say so.
   */
  private static final class CountedVectors extends CountedStream {
    private final byte[] bytes;
    private final boolean breaksOff;

    /**
     * @param breaksOff whether each range ends half-way with an error
     */
    CountedVectors(byte[] bytes, CountDownLatch together, boolean breaksOff) {
      super(bytes, together);
      this.bytes = bytes;
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
      end();
      if (breaksOff) {
        to.put(new byte[range.getLength() / 2]);
        data.completeExceptionally(new EOFException("the connection is gone"));
      } else {
        to.put(bytes, (int) range.getOffset(), range.getLength());
        data.complete(to.flip());
      }
    }
  }
}
