package io.mooring.parquet.verify;

import io.mooring.parquet.thrift.ThriftReader;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Whether levels, which pages of version 2 do not compress, are of as many values as the header
 * says, and as long: only the runs' own headers are looked at. After Encodings.md of parquet-format
 * (Run Length Encoding / Bit-Packing Hybrid).
 */
final class LevelRunCheck {
  private static final int VALUES_OF_GROUP = 8;

  private LevelRunCheck() {}

  /**
   * Whether the runs end with the bytes, and the last of them with the values.
   *
   * @param highest level there can be
   */
  static boolean fill(ByteBuffer levels, int highest, int values) {
    int bits = Integer.SIZE - Integer.numberOfLeadingZeros(highest);
    ThriftReader bytes = new ThriftReader(levels);
    try {
      long left = values;
      while (left > 0) {
        left -= run(bytes, bits);
      }
      return bytes.position() == levels.limit();
    } catch (IOException e) {
      return false;
    }
  }

  /** Passes a run; how many values are in it. */
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
