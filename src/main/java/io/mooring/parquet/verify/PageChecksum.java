package io.mooring.parquet.verify;

import io.mooring.parquet.source.FileRange;
import java.nio.ByteBuffer;
import java.util.zip.CRC32;

/** The bytes of a page that has a checksum, which can come in parts in any order. Thread-safe. */
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
   * Takes a part of the page into account.
   *
   * @param bytes of a stretch of the file
   * @param from the file offset of the first of them
   * @return false when it was the last part and the checksum is another
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
