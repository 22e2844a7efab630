package io.mooring.parquet.source;

import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.viewfs.ViewFileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/** The kind of storage behind a file system, which decides how it is read best. */
enum Storage {
  /** The page cache or a disk of this machine. */
  LOCAL,
  /** Data nodes: one stream serves any number of positional reads. */
  HDFS,
  /** An object store, or a file system that is treated as one: each read is a request. */
  OBJECTS;

  // Serves file: URLs by a LocalFileSystem where Hive is on the class path, as in Spark's
  // downloads.
  private static final String LOCAL_OF_HIVE = "org.apache.hadoop.hive.ql.io.ProxyLocalFileSystem";

  static Storage of(FileSystem fs) {
    // Exactly these classes: a derived one may store other bytes than it gives.
    if (fs.getClass() == LocalFileSystem.class
        || fs.getClass() == RawLocalFileSystem.class
        || fs.getClass().getName().equals(LOCAL_OF_HIVE)) {
      return LOCAL;
    }
    return fs instanceof DistributedFileSystem || fs instanceof ViewFileSystem ? HDFS : OBJECTS;
  }

  /** Whether times of files are exact to the millisecond; stores give seconds for one object. */
  static boolean hasExactTimes(FileSystem fs) {
    return of(fs) == LOCAL || fs instanceof DistributedFileSystem;
  }
}
