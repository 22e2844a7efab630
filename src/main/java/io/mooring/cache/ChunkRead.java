package io.mooring.cache;

import io.mooring.parquet.source.FileRange;
import io.mooring.parquet.source.FileState;
import java.util.List;
import org.apache.hadoop.fs.FileSystem;
import org.apache.parquet.hadoop.metadata.ColumnPath;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of one column chunk that a scan needs.
 *
 * @param column whose pages these bytes are, by a footer that may have another one's there too
 * @param start the chunk's first byte in the file
 * @param ranges of the file: all of the chunk, or some of its pages; in order, none empty
 */
public record ChunkRead(FileState file, ColumnPath column, long start, List<FileRange> ranges) {
  /** How many bytes the scan needs. */
  public long bytes() {
    return ranges.stream().mapToLong(FileRange::length).sum();
  }

  /** Whether some of the bytes lie in a range of the same file. */
  boolean overlaps(FileRange other) {
    return ranges.stream()
        .anyMatch(range -> range.offset() < other.end() && other.offset() < range.end());
  }

  ChunkName name() {
    return new ChunkName(ChunkName.FileName.of(file), column, start);
  }

  /** A column chunk of a file, in whatever state the file is. */
  record ChunkName(FileName file, ColumnPath column, long start) {
    /** A file as one user reads it: other users may lack the right to read it. */
    record FileName(String path, @Nullable FileSystem access) {
      static FileName of(FileState file) {
        return new FileName(file.file().path(), file.access());
      }
    }
  }
}
