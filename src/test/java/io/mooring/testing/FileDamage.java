package io.mooring.testing;

import java.util.Arrays;
import java.util.Random;

/** Random damage to the bytes of a file. */
public final class FileDamage {
  private static final int MOST_FLIPS = 8;
  // Where the last page of a small Parquet file ends and its footer begins.
  private static final int TAIL_BYTES = 1_000;
  private static final int HEAD_BYTES = 200;

  private FileDamage() {}

  /** A damaged copy: cut off somewhere, or a few bits turned in its head, its tail or anywhere. */
  public static byte[] of(byte[] good, Random random) {
    return switch (random.nextInt(8)) {
      case 0 -> Arrays.copyOf(good, random.nextInt(good.length));
      case 1, 2 -> flipped(good, random, 0, HEAD_BYTES);
      case 3, 4 -> flipped(good, random, good.length - TAIL_BYTES, TAIL_BYTES);
      default -> flipped(good, random, 0, good.length);
    };
  }

  private static byte[] flipped(byte[] good, Random random, int from, int length) {
    byte[] bad = good.clone();
    int flips = 1 + random.nextInt(MOST_FLIPS);
    for (int i = 0; i < flips; i++) {
      bad[from + random.nextInt(length)] ^= (byte) (1 << random.nextInt(Byte.SIZE));
    }
    return bad;
  }
}
