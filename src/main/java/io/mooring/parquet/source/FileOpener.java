package io.mooring.parquet.source;

import io.mooring.parquet.source.RequestCounts.StoreRequest;
import java.io.IOException;
import java.util.Locale;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FutureDataInputStreamBuilder;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.util.functional.FutureIO;
import org.jspecify.annotations.Nullable;

/** Opens streams of one file that is not local, with as few requests as possible. */
final class FileOpener implements FileStreams.Opener {
  // Names of Hadoop's options; versions that do not know them ignore them.
  private static final String READ_POLICY = "fs.option.openfile.read.policy";
  // The same in S3A of Hadoop 3.3, whose streams else ask for all of the file that follows.
  private static final String S3A_READ_POLICY = "fs.s3a.experimental.input.fadvise";
  // The name in Hadoop's CommonPathCapabilities, in which older versions lack it.
  private static final String ETAGS_CAPABILITY = "fs.capability.etags.available";
  private static final String S3A_MODE = "fs.s3a.change.detection.mode";
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
    this.streamsAreOfOneFile = byRequests && comparesETags(fs, file.hadoopPath());
    this.counts = counts;
  }

  ParquetFile file() {
    return file;
  }

  boolean byRequests() {
    return byRequests;
  }

  /**
   * Opens the file that was listed, by an idle stream or a new one. A new stream is given the
   * file's status, so that a store with e-tags refuses the bytes of another file.
   */
  @Override
  public FSDataInputStream open() throws IOException {
    FSDataInputStream idle = streamsAreOfOneFile ? IdleStreams.take(file, fs) : null;
    return idle != null ? idle : opened(builder().withFileStatus(status()));
  }

  /**
   * Opens the current state of the file, whatever has happened to it since it was listed. Takes no
   * request to a store, because the length is known.
   */
  FSDataInputStream openUnchecked() throws IOException {
    return byRequests
        ? opened(builder().opt(LENGTH, Long.toString(file.length())))
        : fs.open(file.hadoopPath());
  }

  private FutureDataInputStreamBuilder builder() throws IOException {
    return fs.openFile(file.hadoopPath())
        .opt(READ_POLICY, "parquet, columnar, vector, random")
        .opt(S3A_READ_POLICY, "random");
  }

  private static FSDataInputStream opened(FutureDataInputStreamBuilder builder) throws IOException {
    return FutureIO.awaitFuture(builder.build());
  }

  /**
   * The file's status, requested once; fails where it is another file. With another file's footer
   * it would decode to nonsense.
   */
  synchronized FileStatus status() throws IOException {
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

  /** Whether streams refuse other e-tags: ABFS streams do, and S3A streams by default. */
  private static boolean comparesETags(FileSystem fs, Path path) {
    String mode = fs.getConf().get(S3A_MODE, "server").toLowerCase(Locale.ROOT);
    try {
      return !mode.equals("none")
          && !mode.equals("warn")
          && fs.hasPathCapability(path, ETAGS_CAPABILITY);
    } catch (IOException e) {
      return false;
    }
  }
}
