package io.mooring.parquet.source;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntFunction;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileRange;
import org.apache.hadoop.util.functional.FutureIO;

/**
 * Hadoop's vectored reads (from Hadoop 3.3.5 on), which object stores serve in parallel.
 * Thread-safe.
 */
final class VectoredRead implements StreamRead {
  @Override
  public void readFully(FSDataInputStream in, long offset, ByteBuffer to) throws IOException {
    int bytes = to.remaining();
    FileRange range = FileRange.createFileRange(offset, bytes);
    ByteBuffer view = to.duplicate();
    IntFunction<ByteBuffer> buffers = onceOrHeap(view);
    // Only the start: the stream reads on its own threads.
    synchronized (in) {
      in.readVectored(List.of(range), buffers);
    }
    ByteBuffer read = await(range);
    if (read.remaining() != bytes) {
      throw new EOFException((bytes - read.remaining()) + " bytes are missing");
    }
    if (read != view) {
      to.put(read);
    }
  }

  /** Checksums make streams ask for more than was asked of them, and cut the result. */
  private static IntFunction<ByteBuffer> onceOrHeap(ByteBuffer to) {
    AtomicBoolean given = new AtomicBoolean();
    int bytes = to.remaining();
    return wanted ->
        wanted == bytes && given.compareAndSet(false, true) ? to : ByteBuffer.allocate(wanted);
  }

  /** Deaf to interrupts: memory that is still being read into cannot be given back. */
  private static ByteBuffer await(FileRange range) throws IOException {
    try {
      return range.getData().join();
    } catch (CompletionException e) {
      return FutureIO.raiseInnerCause(e);
    }
  }
}
