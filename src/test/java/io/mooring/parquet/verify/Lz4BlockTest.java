package io.mooring.parquet.verify;

import static org.assertj.core.api.Assertions.assertThat;

import io.airlift.compress.MalformedInputException;
import io.airlift.compress.lz4.Lz4Decompressor;
import java.nio.ByteBuffer;
import java.util.Random;
import net.jpountz.lz4.LZ4Compressor;
import net.jpountz.lz4.LZ4Factory;
import org.junit.jupiter.api.Test;

/**
 * Blocks that parquet-mr does not decode to the length of the page are found. Older versions of its
 * decoder take a few blocks that newer ones refuse.
 */
class Lz4BlockTest {
  private static final int BLOCKS = 2000;
  private static final int MOST_BYTES = 3000;

  private final long seed = Long.getLong("mooring.test.seed", System.nanoTime());
  private final Random random = new Random(seed);

  @Test
  void damagedBlocksAreFound() {
    System.out.println("Lz4BlockTest seed " + seed);
    int refused = 0;
    int cautious = 0;
    for (int i = 0; i < BLOCKS; i++) {
      byte[] page = page();
      byte[] block = compressor().compress(page);
      assertThat(passes(block, page.length)).as("block " + i).isTrue();
      byte[] damaged = damaged(block);
      boolean decodes = decodes(damaged, page.length);
      boolean passes = passes(damaged, page.length);
      assertThat(passes && !decodes).as("damaged block " + i).isFalse();
      cautious += decodes && !passes ? 1 : 0;
      refused += decodes ? 0 : 1;
    }
    assertThat(cautious).isLessThan(BLOCKS / 100);
    assertThat(refused).isBetween(BLOCKS / 10, BLOCKS * 9 / 10);
  }

  private LZ4Compressor compressor() {
    return random.nextBoolean()
        ? LZ4Factory.safeInstance().fastCompressor()
        : LZ4Factory.safeInstance().highCompressor();
  }

  /** Bytes that repeat more or less, some of them for longer than a length of one byte tells. */
  private byte[] page() {
    byte[] page = new byte[random.nextInt(MOST_BYTES)];
    int values = 1 + random.nextInt(random.nextBoolean() ? 3 : 256);
    for (int i = 0; i < page.length; i++) {
      page[i] =
          i > 10 && random.nextInt(8) > 0
              ? page[i - 1 - random.nextInt(10)]
              : (byte) random.nextInt(values);
    }
    return page;
  }

  private byte[] damaged(byte[] block) {
    byte[] damaged = block.clone();
    for (int i = 1 + random.nextInt(3); i > 0; i--) {
      damaged[random.nextInt(damaged.length)] ^= (byte) (1 << random.nextInt(8));
    }
    return damaged;
  }

  private boolean passes(byte[] block, int uncompressed) {
    Lz4Block check = new Lz4Block();
    check.begin(block.length, uncompressed);
    int at = 0;
    while (at < block.length) {
      int more = Math.min(block.length - at, 1 + random.nextInt(40));
      check.add(ByteBuffer.wrap(block, at, more).slice());
      at += more;
    }
    return check.problem() == null;
  }

  private static boolean decodes(byte[] block, int uncompressed) {
    try {
      byte[] page = new byte[uncompressed];
      return new Lz4Decompressor().decompress(block, 0, block.length, page, 0, uncompressed)
          == uncompressed;
    } catch (MalformedInputException e) {
      return false;
    }
  }
}
