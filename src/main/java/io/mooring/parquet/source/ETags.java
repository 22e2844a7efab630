package io.mooring.parquet.source;

import java.io.IOException;
import java.util.Locale;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** Whether a store's streams refuse to go on once their file has been replaced. */
final class ETags {
  // Hadoop's CommonPathCapabilities, of which older versions lack this one.
  private static final String CAPABILITY = "fs.capability.etags.available";
  private static final String S3A_MODE = "fs.s3a.change.detection.mode";

  private ETags() {}

  /** S3A and ABFS compare the e-tag of each response, unless S3A was told not to. */
  static boolean areCompared(FileSystem fs, Path path) {
    String mode = fs.getConf().get(S3A_MODE, "server").toLowerCase(Locale.ROOT);
    try {
      return !mode.equals("none") && !mode.equals("warn") && fs.hasPathCapability(path, CAPABILITY);
    } catch (IOException e) {
      return false;
    }
  }
}
