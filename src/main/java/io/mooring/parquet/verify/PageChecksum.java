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

  /**
   * Combines CRC-32 checksums of parts, computed in any order: the checksum of the whole is the
   * exclusive or of those of the parts, each shifted by as many zero bytes as follow the part. A
   * shift is a product of polynomials over GF(2) modulo the CRC's, as in zlib's crc32_combine.
   */
  static final class Crc32Combine {
    // Bits are reflected: the highest bit stands for the power 0.
    private static final int POLYNOMIAL = 0xedb88320;
    private static final int ONE = 1 << 31;
    private static final int X_TO_THE_8 = ONE >>> 8;

    private Crc32Combine() {}

    /** The contribution of a part with checksum {@code crc} that {@code bytes} bytes follow. */
    static int shifted(int crc, long bytes) {
      int factor = ONE;
      int square = X_TO_THE_8;
      for (long rest = bytes; rest > 0; rest >>>= 1) {
        factor = (rest & 1) == 0 ? factor : product(factor, square);
        square = product(square, square);
      }
      return product(factor, crc);
    }

    private static int product(int one, int other) {
      int sum = 0;
      int power = other;
      for (int bit = Integer.SIZE - 1; bit >= 0; bit--) {
        sum ^= ((one >>> bit) & 1) == 0 ? 0 : power;
        power = (power >>> 1) ^ ((power & 1) == 0 ? 0 : POLYNOMIAL);
      }
      return sum;
    }
  }
}
