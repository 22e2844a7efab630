package io.mooring.cache;

import io.mooring.parquet.source.FileRange;
import io.mooring.parquet.source.FileState;
import java.util.List;

/**
 * The bytes of one column chunk that a scan needs.
 *
 * @param start the chunk's first byte in the file, which names it
 * @param ranges of the file: all of the chunk, or some of its pages; in order, none empty
 */
public record ChunkRead(FileState file, long start, List<FileRange> ranges) {
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
    return new ChunkName(ChunkName.FileName.of(file), start);
  }
}
