package io.mooring.parquet.verify;

/**
 * Combines CRC-32 checksums of parts, computed in any order: the checksum of the whole is the
 * exclusive or of those of the parts, each shifted by as many zero bytes as follow the part. A
 * shift is a product of polynomials over GF(2) modulo the CRC's, as in zlib's crc32_combine.
 */
final class Crc32Combine {
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
