package io.mooring.parquet.source;

import java.io.IOException;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FutureDataInputStreamBuilder;
import org.apache.hadoop.util.functional.FutureIO;
import org.jspecify.annotations.Nullable;

/** Opens streams of one file that is not local, each time with as few requests as can be. */
final class FileOpener implements FileStreams.Opener {
  // The names are Hadoop's; versions that do not know them ignore them.
  private static final String READ_POLICY = "fs.option.openfile.read.policy";
  private static final String LENGTH = "fs.option.openfile.length";

  private final ParquetFile file;
  private final FileSystem fs;
  private final boolean byRequests;
  private final boolean streamsAreOfOneFile;
  private final RequestCounts counts;
  private @Nullable FileStatus status;

  FileOpener(ParquetFile file, FileSystem fs, RequestCounts counts) {
    this.file = file;
    this.fs = fs;
    this.byRequests = Storage.of(fs) == Storage.OBJECTS;
    this.streamsAreOfOneFile = byRequests && ETags.areCompared(fs, file.hadoopPath());
    this.counts = counts;
  }

  boolean byRequests() {
    return byRequests;
  }

  /**
   * A stream of the file that was listed: an idle one, or a new one with what the file system says
   * of the file, so that a store with e-tags refuses another file's bytes.
   */
  @Override
  public FSDataInputStream open() throws IOException {
    FSDataInputStream idle = streamsAreOfOneFile ? IdleStreams.take(file, fs) : null;
    return idle != null ? idle : opened(builder().withFileStatus(status()));
  }

  /**
   * A stream of the file as it is, whatever has become of it since it was listed: a store is asked
   * nothing, because the length is known.
   */
  FSDataInputStream openUnchecked() throws IOException {
    return byRequests
        ? opened(builder().opt(LENGTH, Long.toString(file.length())))
        : fs.open(file.hadoopPath());
  }

  private FutureDataInputStreamBuilder builder() throws IOException {
    return fs.openFile(file.hadoopPath()).opt(READ_POLICY, "parquet, columnar, vector, random");
  }

  private static FSDataInputStream opened(FutureDataInputStreamBuilder builder) throws IOException {
    return FutureIO.awaitFuture(builder.build());
  }

  /** A footer that is not the file's would be decoded to nonsense: asked for once. */
  private synchronized FileStatus status() throws IOException {
    if (status == null) {
      status = byRequests ? requestedStatus() : file.statusIfUnchanged(fs);
    }
    return status;
  }

  private FileStatus requestedStatus() throws IOException {
    try (StoreRequest request = StoreRequest.begin(counts, 0)) {
      return file.statusIfUnchanged(fs);
    }
  }

  @Override
  public void done(FSDataInputStream in) {
    if (streamsAreOfOneFile) {
      IdleStreams.keep(file, fs, in);
    } else {
      IdleStreams.close(in);
    }
  }
}
