package io.mooring.parquet.source;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Files one after the other, whose bytes have addresses as if they were one file.
 *
 * @param starts for each file the address of its first byte; ascending
 */
public record FileSequence(List<ParquetFile> files, List<Long> starts) {
  /** Bytes between two files: more than any merging of ranges bridges. */
  public static final long GAP = 1L << 40;

  /** One file, whose addresses are its offsets. */
  public static FileSequence of(ParquetFile file) {
    return new FileSequence(List.of(file), List.of(0L));
  }

  /** Several files in order; a file may come twice. */
  public static FileSequence of(List<ParquetFile> files) {
    List<Long> starts = new ArrayList<>();
    long next = 0;
    for (ParquetFile file : files) {
      starts.add(next);
      next = Math.addExact(next, Math.addExact(file.length(), GAP));
    }
    return new FileSequence(List.copyOf(files), List.copyOf(starts));
  }

  /** The address after the last byte. */
  public long length() {
    int last = files.size() - 1;
    return starts.get(last) + files.get(last).length();
  }

  /** The index of the file that an address lies in. */
  public int indexAt(long address) {
    int found = Collections.binarySearch(starts, address);
    return found >= 0 ? found : -found - 2;
  }

  /** The file and offset of an address. */
  public FilePosition position(long address) {
    int file = indexAt(address);
    return new FilePosition(files.get(file).path(), address - starts.get(file));
  }

  /** A range in offsets of its file; the range must lie in one file. */
  public FileRange inFile(FileRange range) {
    return new FileRange(range.offset() - starts.get(indexAt(range.offset())), range.length());
  }

  @Override
  public String toString() {
    String first = files.get(0).path();
    return files.size() == 1 ? first : first + " and " + (files.size() - 1) + " more files";
  }

  /** A byte of a file: the path and the offset. */
  public record FilePosition(String path, long offset) {}
}
