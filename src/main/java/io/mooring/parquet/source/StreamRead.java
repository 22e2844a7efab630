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

  /**
   * Seeks and reads, for streams without positional or vectored reads: by one request, where the
   * stream can be told how long the read will be.
   */
  final class SequentialRead implements StreamRead {
    private static final int COPY_BYTES = 256 << 10;
    private static final ThreadLocal<byte[]> COPY =
        ThreadLocal.withInitial(() -> new byte[COPY_BYTES]);

    private final boolean takesBuffers;

    /**
     * @param takesBuffers whether the stream reads into buffers, not into arrays alone
     */
    SequentialRead(boolean takesBuffers) {
      this.takesBuffers = takesBuffers;
    }

    @Override
    public void readFully(FSDataInputStream in, long offset, ByteBuffer to) throws IOException {
      announce(in, to.remaining());
      in.seek(offset);
      while (to.hasRemaining()) {
        int read = takesBuffers ? in.read(to) : readByCopy(in, to);
        if (read < 0) {
          throw new EOFException(to.remaining() + " bytes are missing");
        }
      }
    }

    /** Tells the length of the read; S3A with a random read policy then requests it at once. */
    static void announce(FSDataInputStream in, long bytes) {
      try {
        in.setReadahead(bytes);
      } catch (IOException | UnsupportedOperationException e) {
        // The stream has no read-ahead to set.
      }
    }

    private static int readByCopy(FSDataInputStream in, ByteBuffer to) throws IOException {
      byte[] copy = COPY.get();
      int read = in.read(copy, 0, Math.min(copy.length, to.remaining()));
      if (read > 0) {
        to.put(copy, 0, read);
      }
      return read;
    }

    @Override
    public int atOnce() {
      return 1;
    }
  }

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
      AtomicBoolean filled = new AtomicBoolean();
      int bytes = to.remaining();
      return wanted ->
          wanted == bytes && filled.compareAndSet(false, true) ? to : ByteBuffer.allocate(wanted);
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
}
