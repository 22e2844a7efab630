package io.mooring.parquet.verify;

/**
 * The CRC-32 of bytes from those of their parts, which may be reckoned in any order: it is the sum
 * (the exclusive or) of each part's own, shifted by as many zero bytes as follow the part. A shift
 * is a product of polynomials over GF(2) modulo the CRC's; the idea is that of crc32_combine in
 * zlib.
 */
final class Crc32Combine {
  // Bits are reflected: the highest bit stands for the power 0.
  private static final int POLYNOMIAL = 0xedb88320;
  private static final int ONE = 1 << 31;
  private static final int X_TO_THE_8 = ONE >>> 8;

  private Crc32Combine() {}

  /** What {@code crc} of a part adds to that of the whole, of which {@code bytes} bytes follow. */
  static int shifted(int crc, long bytes) {
    int factor = ONE;
    int square = X_TO_THE_8;
    for (long left = bytes; left > 0; left >>>= 1) {
      factor = (left & 1) == 0 ? factor : product(factor, square);
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
