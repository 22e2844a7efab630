package io.mooring.parquet.verify;

import io.mooring.parquet.thrift.ThriftReader;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Checks that the levels of a version 2 page, which are not compressed, have as many values and
 * bytes as the header says. Reads the headers of runs alone. After Encodings.md of parquet-format
 * (Run Length Encoding / Bit-Packing Hybrid).
 */
final class LevelRunCheck {
  private static final int VALUES_OF_GROUP = 8;

  private LevelRunCheck() {}

  /**
   * Whether the runs end where the bytes end and hold at least the values.
   *
   * @param highest the greatest level
   */
  static boolean matches(ByteBuffer levels, int highest, int values) {
    int bits = Integer.SIZE - Integer.numberOfLeadingZeros(highest);
    ThriftReader bytes = new ThriftReader(levels);
    try {
      long missing = values;
      while (missing > 0) {
        missing -= run(bytes, bits);
      }
      return bytes.position() == levels.limit();
    } catch (IOException e) {
      return false;
    }
  }

  /** Skips a run; returns how many values are in it. */
  private static long run(ThriftReader bytes, int bits) throws IOException {
    long header = bytes.varint();
    long count = header >>> 1;
    if (count <= 0 || count > Integer.MAX_VALUE) {
      throw new IOException("a run of no values");
    }
    boolean isPacked = (header & 1) != 0;
    long length = isPacked ? count * bits : (bits + Byte.SIZE - 1) / Byte.SIZE;
    bytes.skip((int) Math.min(length, Integer.MAX_VALUE));
    return isPacked ? count * VALUES_OF_GROUP : count;
  }
}
