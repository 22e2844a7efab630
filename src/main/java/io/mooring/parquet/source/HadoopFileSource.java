package io.mooring.parquet.source;

import io.mooring.jni.FileJni;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.util.functional.FutureIO;

/** A file of any Hadoop file system, read straight into native memory where its stream can. */
final class HadoopFileSource implements FileSource {
  // Streams count in ints, and some round a stretch up to whole blocks.
  private static final long MOST_BYTES = 1 << 30;
  // Of an object store each is a request, which takes as long as the transfer of some MiB.
  private static final long SLICE_BYTES = 4L << 20;
  private static final String READ_POLICY = "fs.option.openfile.read.policy";

  private final Path path;
  private final FSDataInputStream in;
  private final StreamRead read;

  HadoopFileSource(Path path, FSDataInputStream in) {
    this.path = path;
    this.in = in;
    this.read = StreamRead.fitting(in);
  }

  /** Opens a file whose status is known, so that no store is asked for it twice. */
  static HadoopFileSource open(FileSystem fs, Path path, FileStatus status) throws IOException {
    var opening =
        fs.openFile(path)
            .opt(READ_POLICY, "parquet, columnar, vector, random")
            .withFileStatus(status)
            .build();
    return new HadoopFileSource(path, FutureIO.awaitFuture(opening));
  }

  @Override
  public void readFully(long offset, long address, long bytes) throws IOException {
    try {
      for (long done = 0; done < bytes; done += MOST_BYTES) {
        ByteBuffer to = FileJni.view(address + done, Math.min(MOST_BYTES, bytes - done));
        read.readFully(in, offset + done, to);
      }
    } catch (EOFException e) {
      throw named("ends before byte " + (offset + bytes) + ", which its footer promises", e);
    } catch (IOException e) {
      throw named("cannot be read at byte " + offset, e);
    }
  }

  @Override
  public long sliceBytes() {
    return SLICE_BYTES;
  }

  /** A request may take long: others that are done are not to wait for it. */
  @Override
  public long pieceBytes() {
    return SLICE_BYTES;
  }

  private IOException named(String what, IOException cause) {
    return new IOException(path + " " + what + ": " + cause.getMessage(), cause);
  }

  @Override
  public void close() {
    try {
      in.close();
    } catch (IOException e) {
      // Everything that was asked for has been read: nothing is lost by a failing close.
    }
  }
}
