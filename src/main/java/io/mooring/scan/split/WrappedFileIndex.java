package io.mooring.scan.split;

import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.execution.datasources.FileIndex;
import scala.collection.immutable.Seq;

/** A file index that lists files of another, chosen or described in its own way. */
interface WrappedFileIndex extends FileIndex {
  /** The other index. */
  FileIndex files();

  @Override
  default Seq<Path> rootPaths() {
    return files().rootPaths();
  }

  @Override
  default String[] inputFiles() {
    return files().inputFiles();
  }

  @Override
  default void refresh() {
    files().refresh();
  }

  @Override
  default long sizeInBytes() {
    return files().sizeInBytes();
  }
}
