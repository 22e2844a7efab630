package io.mooring.parquet.verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.zip.CRC32;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

class Crc32CombineTest {
  private final long seed = System.nanoTime();
  private final Random random = new Random(seed);

  private static int crc(byte[] bytes, int from, int length) {
    CRC32 crc = new CRC32();
    crc.update(bytes, from, length);
    return (int) crc.getValue();
  }

  @RepeatedTest(20)
  void shifted_checksumsOfParts_combineToThatOfTheWhole() {
    System.out.println("Crc32CombineTest seed " + seed);
    byte[] bytes = new byte[random.nextInt(100_000)];
    random.nextBytes(bytes);
    int sum = 0;
    int at = 0;
    while (at < bytes.length) {
      int length = 1 + random.nextInt(Math.min(bytes.length - at, 1 << random.nextInt(17)));
      at += length;
      sum ^= PageChecksum.Crc32Combine.shifted(crc(bytes, at - length, length), bytes.length - at);
    }
    assertThat(sum).isEqualTo(crc(bytes, 0, bytes.length));
  }

  @Test
  void nothingBehindAPartLeavesItsChecksum() {
    assertThat(PageChecksum.Crc32Combine.shifted(0x12345678, 0)).isEqualTo(0x12345678);
    // A shift by a period of the polynomial changes nothing: 2^32 - 1 bits, so as many bytes.
    assertThat(PageChecksum.Crc32Combine.shifted(0x12345678, 0xffff_ffffL)).isEqualTo(0x12345678);
  }
}
