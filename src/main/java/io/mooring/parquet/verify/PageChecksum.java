package io.mooring.parquet.verify;

import io.mooring.parquet.source.FileRange;
import java.nio.ByteBuffer;
import java.util.zip.CRC32;

/** The checksum of a page, computed from fragments in any order. Thread-safe. */
final class PageChecksum {
  private final FileRange range;
  private final int expected;
  private long missing;
  private int sum;

  PageChecksum(FileRange range, int expected) {
    this.range = range;
    this.expected = expected;
    this.missing = range.length();
  }

  FileRange range() {
    return range;
  }

  /**
   * Adds a fragment of the page.
   *
   * @param bytes of the file, of which some may lie outside the page
   * @param from the file offset of the first byte
   * @return false when it was the last fragment and the checksum is wrong
   */
  boolean add(ByteBuffer bytes, long from) {
    long begin = Math.max(from, range.offset());
    long end = Math.min(from + bytes.limit(), range.end());
    CRC32 crc = new CRC32();
    crc.update(bytes.slice((int) (begin - from), (int) (end - begin)));
    int shifted = Crc32Combine.shifted((int) crc.getValue(), range.end() - end);
    synchronized (this) {
      sum ^= shifted;
      missing -= end - begin;
      return missing > 0 || sum == expected;
    }
  }
}
