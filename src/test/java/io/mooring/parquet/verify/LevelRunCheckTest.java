package io.mooring.parquet.verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Random;
import org.apache.parquet.bytes.HeapByteBufferAllocator;
import org.apache.parquet.column.values.rle.RunLengthBitPackingHybridEncoder;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

class LevelRunCheckTest {
  private final long seed = System.nanoTime();
  private final Random random = new Random(seed);

  private byte[] levels(int highest, int values) throws Exception {
    int bits = Integer.SIZE - Integer.numberOfLeadingZeros(highest);
    var encoder =
        new RunLengthBitPackingHybridEncoder(
            bits, 64, 1 << 20, HeapByteBufferAllocator.getInstance());
    int level = 0;
    int changeOneIn = 1 + random.nextInt(40);
    for (int i = 0; i < values; i++) {
      level = random.nextInt(changeOneIn) == 0 ? random.nextInt(highest + 1) : level;
      encoder.writeInt(level);
    }
    return encoder.toBytes().toByteArray();
  }

  @RepeatedTest(20)
  void whatParquetMrWritesFillsItsBytesAndNoOthers() throws Exception {
    System.out.println("LevelRunCheckTest seed " + seed);
    int highest = 1 + random.nextInt(9);
    int values = 1 + random.nextInt(3_000);
    byte[] levels = levels(highest, values);
    assertThat(LevelRunCheck.matches(ByteBuffer.wrap(levels), highest, values)).isTrue();
    ByteBuffer shorter = ByteBuffer.wrap(levels, 0, levels.length - 1).slice();
    assertThat(LevelRunCheck.matches(shorter, highest, values)).isFalse();
    ByteBuffer longer = ByteBuffer.allocate(levels.length + 1).put(levels).rewind();
    assertThat(LevelRunCheck.matches(longer, highest, values)).isFalse();
    assertThat(LevelRunCheck.matches(ByteBuffer.wrap(levels), highest, values + 8)).isFalse();
  }

  @Test
  void noValuesHaveNoLevels() {
    assertThat(LevelRunCheck.matches(ByteBuffer.allocate(0), 1, 0)).isTrue();
    assertThat(LevelRunCheck.matches(ByteBuffer.allocate(1), 1, 0)).isFalse();
    // A run of no values would have no end.
    assertThat(LevelRunCheck.matches(ByteBuffer.allocate(9), 1, 5)).isFalse();
  }
}
