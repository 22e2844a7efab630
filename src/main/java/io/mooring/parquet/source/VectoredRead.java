package io.mooring.parquet.source;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntFunction;
import org.apache.hadoop.fs.BufferedFSInputStream;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileRange;
import org.apache.hadoop.util.functional.FutureIO;

/** Hadoop's vectored reads (from Hadoop 3.3.5 on), which object stores serve in parallel. */
final class VectoredRead implements StreamRead {
  private static final String CAPABILITY = "in:readvectored";
  // The default of S3A's fs.s3a.vectored.active.ranged.reads: with more, the call that submits a
  // read waits while it holds the stream's lock.
  private static final int AT_ONCE = 4;

  /** Whether a stream has vectored reads of its own; streams of stores do not declare them. */
  static boolean isServedBy(FSDataInputStream in) {
    if (in.hasCapability(CAPABILITY)) {
      return true;
    }
    InputStream stream = in.getWrappedStream();
    while (stream instanceof FSDataInputStream wrapper) {
      stream = wrapper.getWrappedStream();
    }
    try {
      Class<?> by =
          stream
              .getClass()
              .getMethod("readVectored", List.class, IntFunction.class)
              .getDeclaringClass();
      // The interface's default reads one range after the other; a buffered stream delegates.
      return !by.isInterface() && by != BufferedFSInputStream.class;
    } catch (NoSuchMethodException e) {
      return false;
    }
  }

  @Override
  public void readFully(FSDataInputStream in, long offset, ByteBuffer to) throws IOException {
    int bytes = to.remaining();
    FileRange range = FileRange.createFileRange(offset, bytes);
    ByteBuffer view = to.duplicate();
    in.readVectored(List.of(range), onceOrHeap(view));
    ByteBuffer read = await(range);
    if (read.remaining() != bytes) {
      throw new EOFException((bytes - read.remaining()) + " bytes are missing");
    }
    if (read != view) {
      to.put(read);
    }
  }

  /** Gives out the buffer once, else heap memory: streams with checksums read more than asked. */
  private static IntFunction<ByteBuffer> onceOrHeap(ByteBuffer to) {
    AtomicBoolean given = new AtomicBoolean();
    int bytes = to.remaining();
    return wanted ->
        wanted == bytes && given.compareAndSet(false, true) ? to : ByteBuffer.allocate(wanted);
  }

  /** Ignores interrupts: memory that is still being read into cannot be given back. */
  private static ByteBuffer await(FileRange range) throws IOException {
    try {
      return range.getData().join();
    } catch (CompletionException e) {
      return FutureIO.raiseInnerCause(e);
    }
  }

  @Override
  public int atOnce() {
    return AT_ONCE;
  }
}
