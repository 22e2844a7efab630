package io.mooring.cache;

import io.mooring.parquet.source.FileState;
import org.apache.hadoop.fs.FileSystem;
import org.jspecify.annotations.Nullable;

/** A column chunk of a file, in whatever state the file is. */
record ChunkName(FileName file, long start) {
  /** A file as one user sees it, who may not read what another may. */
  record FileName(String path, @Nullable FileSystem access) {
    static FileName of(FileState file) {
      return new FileName(file.file().path(), file.access());
    }
  }
}
