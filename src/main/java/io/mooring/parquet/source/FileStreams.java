package io.mooring.parquet.source;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.FSDataInputStream;

/**
 * The open streams of one file: as many as it takes for no read to wait for another. Thread-safe;
 * closed once nothing is read any more.
 */
final class FileStreams implements AutoCloseable {
  /** Where streams come from and go to. */
  interface Opener {
    /** One more stream of the file. */
    FSDataInputStream open() throws IOException;

    /** A stream is not read any more. */
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
  }

  private final Opener opener;
  private final List<Stream> streams = new ArrayList<>();

  FileStreams(Opener opener) {
    this.opener = opener;
  }

  /** Fills the buffer, whose position is 0, to its limit with the bytes from {@code offset}. */
  void readFully(long offset, ByteBuffer to) throws IOException {
    Stream stream = take();
    try {
      stream.read.readFully(stream.in, offset, to);
    } catch (IOException e) {
      if (!(stream.read instanceof VectoredRead)) {
        throw e;
      }
      readAgain(offset, to.clear(), e);
    } finally {
      giveBack(stream);
    }
  }

  /** A connection that breaks off ends a vectored read; other reads go on where they were. */
  private void readAgain(long offset, ByteBuffer to, IOException first) throws IOException {
    try (FSDataInputStream in = opener.open()) {
      new SequentialRead(false).readFully(in, offset, to);
    } catch (IOException e) {
      e.addSuppressed(first);
      throw e;
    }
  }

  /** Opens under the lock: whoever comes meanwhile would have to wait for a stream anyway. */
  private synchronized Stream take() throws IOException {
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

  @Override
  public synchronized void close() {
    streams.forEach(stream -> opener.done(stream.in));
    streams.clear();
  }
}
