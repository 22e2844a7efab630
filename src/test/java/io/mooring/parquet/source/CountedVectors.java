package io.mooring.parquet.source;

import java.io.EOFException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.IntFunction;
import org.apache.hadoop.fs.FileRange;

/** A stream as those of stores are: it reads ranges by threads of its own, and does not say so. */
final class CountedVectors extends CountedStream {
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
