package io.mooring.parquet.source;

import io.mooring.jni.FileJni;
import io.mooring.parquet.source.RequestCounts.StoreRequest;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** A file of any Hadoop file system, read straight into native memory where its stream can. */
final class HadoopFileSource implements FileSource {
  // Streams count in ints, and some round a range up to whole blocks.
  private static final long MOST_BYTES = 1 << 30;
  // Each read of HDFS is a round trip to a data node, during which it sends nothing.
  private static final long SLICE_BYTES = 4L << 20;

  private final Path path;
  private final boolean byRequests;
  private final RequestCounts counts;
  private final FileStreams streams;

  /**
   * @param byRequests whether each read is a request to a store
   * @param counts of those
   */
  HadoopFileSource(Path path, boolean byRequests, FileStreams.Opener opener, RequestCounts counts) {
    this.path = path;
    this.byRequests = byRequests;
    this.counts = counts;
    this.streams = new FileStreams(opener);
  }

  /** A source that opens its first stream when it is first read. */
  static HadoopFileSource of(ParquetFile file, FileSystem fs, RequestCounts counts) {
    FileOpener opener = new FileOpener(file, fs, counts);
    return new HadoopFileSource(file.hadoopPath(), opener.byRequests(), opener, counts);
  }

  @Override
  public void readFully(long offset, long address, long bytes) throws IOException {
    try {
      for (long done = 0; done < bytes; done += MOST_BYTES) {
        ByteBuffer to = FileJni.view(address + done, Math.min(MOST_BYTES, bytes - done));
        read(offset + done, to);
      }
    } catch (EOFException e) {
      throw named("ends before byte " + (offset + bytes) + ", which its footer promises", e);
    } catch (IOException e) {
      throw named("cannot be read at byte " + offset, e);
    }
  }

  private void read(long offset, ByteBuffer to) throws IOException {
    if (!byRequests) {
      streams.readFully(offset, to);
      return;
    }
    try (StoreRequest request = StoreRequest.begin(counts, to.remaining())) {
      streams.readFully(offset, to);
    }
  }

  @Override
  public boolean byRequests() {
    return byRequests;
  }

  @Override
  public long sliceBytes() {
    return byRequests ? Long.MAX_VALUE : SLICE_BYTES;
  }

  /** The length of a slice: a read may take long, and complete slices should not wait for it. */
  @Override
  public long pieceBytes() {
    return sliceBytes();
  }

  @Override
  public void abort() {
    if (byRequests) {
      streams.abort();
    }
  }

  private IOException named(String what, IOException cause) {
    return new IOException(path + " " + what + ": " + cause.getMessage(), cause);
  }

  @Override
  public void close() {
    streams.close();
  }
}
