package io.mooring.parquet.source;

import io.mooring.parquet.source.StreamRead.SequentialRead;
import io.mooring.parquet.source.StreamRead.VectoredRead;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.FSDataInputStream;

/**
 * The open streams of one file, as many as needed for no read to wait for another. Thread-safe; to
 * be closed after the last read.
 */
final class FileStreams implements AutoCloseable {
  /** Opens streams and takes them back. */
  interface Opener {
    /** Opens one more stream of the file. */
    FSDataInputStream open() throws IOException;

    /** Takes back a stream that is not read any more. */
    default void done(FSDataInputStream in) {
      IdleStreams.close(in);
    }
  }

  private static final class Stream {
    private final FSDataInputStream in;
    private final StreamRead read;
    private int readers;

    Stream(FSDataInputStream in, StreamRead read) {
      this.in = in;
      this.read = read;
    }

    /**
     * Closes the stream without reading on: S3A would read the rest of a response that ends within
     * its read-ahead range.
     */
    void abort() {
      SequentialRead.announce(in, 0);
      IdleStreams.close(in);
    }
  }

  private final Opener opener;
  private final List<Stream> streams = new ArrayList<>();
  private volatile boolean aborted;

  FileStreams(Opener opener) {
    this.opener = opener;
  }

  /** Fills the buffer, whose position is 0, to its limit with the bytes from {@code offset}. */
  void readFully(long offset, ByteBuffer to) throws IOException {
    Stream stream = take();
    try {
      stream.read.readFully(stream.in, offset, to);
    } catch (IOException e) {
      if (aborted || !(stream.read instanceof VectoredRead)) {
        throw e;
      }
      readAgain(stream, offset, to.clear(), e);
    } finally {
      giveBack(stream);
    }
  }

  /**
   * Reads again after a vectored read has failed: a broken connection ends a vectored read, while
   * other reads resume by themselves. Uses the same stream, so that a store refuses the bytes of a
   * file that has replaced this one.
   */
  private static void readAgain(Stream stream, long offset, ByteBuffer to, IOException first)
      throws IOException {
    // Other threads may read the stream too, but it has one position.
    synchronized (stream) {
      try {
        new SequentialRead(false).readFully(stream.in, offset, to);
      } catch (IOException e) {
        e.addSuppressed(first);
        throw e;
      }
    }
  }

  /** Takes a stream; opens under the lock, for others would have to wait for a stream anyway. */
  private synchronized Stream take() throws IOException {
    if (aborted) {
      throw new InterruptedIOException("the read was given up");
    }
    for (Stream stream : streams) {
      if (stream.readers < stream.read.atOnce()) {
        stream.readers++;
        return stream;
      }
    }
    FSDataInputStream in = opener.open();
    Stream fresh = new Stream(in, StreamRead.fitting(in));
    fresh.readers = 1;
    streams.add(fresh);
    return fresh;
  }

  private synchronized void giveBack(Stream stream) {
    stream.readers--;
  }

  /**
   * Has reads in progress fail. Streams are closed by another thread, because that may wait for a
   * read that does not return.
   */
  void abort() {
    aborted = true;
    StoreThreads.execute(() -> beingRead().forEach(Stream::abort));
  }

  private synchronized List<Stream> beingRead() {
    return streams.stream().filter(stream -> stream.readers > 0).toList();
  }

  @Override
  public synchronized void close() {
    for (Stream stream : streams) {
      if (aborted) {
        IdleStreams.close(stream.in);
      } else {
        opener.done(stream.in);
      }
    }
    streams.clear();
  }
}
