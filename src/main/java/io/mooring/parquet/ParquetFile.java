package io.mooring.parquet;

import java.util.Objects;
import org.apache.hadoop.fs.Path;

/** One file as the file listing saw it: these three together name its content. */
public record ParquetFile(String path, long length, long modificationTime) {
  public ParquetFile {
    Objects.requireNonNull(path, "path");
  }

  public Path hadoopPath() {
    return new Path(path);
  }
}
