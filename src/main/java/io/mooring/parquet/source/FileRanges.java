package io.mooring.parquet.source;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Merges file ranges, so that column chunks near each other are read as one, and cuts them. */
public final class FileRanges {
  private FileRanges() {}

  /**
   * Sorts ranges by offset and joins those that overlap or lie at most {@code distance} bytes
   * apart.
   */
  public static List<FileRange> merge(List<FileRange> ranges, long distance) {
    List<FileRange> sorted = new ArrayList<>(ranges);
    sorted.sort(Comparator.comparingLong(FileRange::offset));
    List<FileRange> merged = new ArrayList<>();
    for (FileRange range : sorted) {
      int last = merged.size() - 1;
      if (last >= 0 && range.offset() - merged.get(last).end() <= distance) {
        FileRange before = merged.get(last);
        long end = Math.max(before.end(), range.end());
        merged.set(last, new FileRange(before.offset(), end - before.offset()));
      } else {
        merged.add(range);
      }
    }
    return merged;
  }

  /** Cuts a range into adjacent ones of {@code bytes} bytes; the last may be shorter. */
  public static List<FileRange> cut(FileRange range, long bytes) {
    List<FileRange> parts = new ArrayList<>();
    for (long at = range.offset(); at < range.end(); at = parts.get(parts.size() - 1).end()) {
      parts.add(new FileRange(at, Math.min(bytes, range.end() - at)));
    }
    return parts;
  }

  /** Cuts a range into as few ranges of about equal length as possible, at most {@code bytes}. */
  public static List<FileRange> cutEvenly(FileRange range, long bytes) {
    long parts = ceilDiv(range.length(), bytes);
    return parts == 0 ? List.of() : cut(range, ceilDiv(range.length(), parts));
  }

  private static long ceilDiv(long bytes, long by) {
    return bytes / by + (bytes % by == 0 ? 0 : 1);
  }

  /** The sum of the lengths, in bytes; bytes that lie in two ranges count twice. */
  public static long totalBytes(List<FileRange> ranges) {
    return ranges.stream().mapToLong(FileRange::length).sum();
  }
}
