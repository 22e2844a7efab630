package io.mooring.parquet.source;

import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.viewfs.ViewFileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/** What keeps the files of a file system, and so how they are read best. */
enum Storage {
  /** The page cache or a disk of this machine. */
  LOCAL,
  /** Data nodes that keep a connection open: any number of positional reads of one stream. */
  HDFS,
  /** An object store, or what is taken for one: each read is a request, which takes its time. */
  OBJECTS;

  static Storage of(FileSystem fs) {
    // Exactly these: a class derived from them may keep other bytes than the file has.
    if (fs.getClass() == LocalFileSystem.class || fs.getClass() == RawLocalFileSystem.class) {
      return LOCAL;
    }
    return fs instanceof DistributedFileSystem || fs instanceof ViewFileSystem ? HDFS : OBJECTS;
  }
}
