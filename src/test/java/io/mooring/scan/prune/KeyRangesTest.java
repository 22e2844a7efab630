package io.mooring.scan.prune;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Test;

/** Ranges that hold the keys of a join. */
class KeyRangesTest {
  @Test
  void rangesHoldEveryKeyAndNoGap() {
    Random random = new Random(System.nanoTime());
    for (int round = 0; round < 200; round++) {
      long spread = 1L << random.nextInt(63);
      long[] keys =
          random
              .longs(1 + random.nextInt(200))
              .map(key -> key % spread)
              .distinct()
              .sorted()
              .toArray();
      KeyRanges ranges = KeyRanges.of(keys);
      assertThat(LongStream.of(keys)).allMatch(ranges::contains);
      for (int i = 0; i < keys.length - 1; i++) {
        boolean gap = Long.compareUnsigned(keys[i + 1] - keys[i], 1) > 0;
        assertThat(ranges.contains(keys[i] + 1)).isEqualTo(!gap);
        assertThat(gap && ranges.overlaps(keys[i] + 1, keys[i + 1] - 1)).isFalse();
        assertThat(ranges.overlaps(keys[i], keys[i + 1])).isTrue();
      }
      assertThat(ranges.overlaps(keys[0] - 2, keys[0] - 1)).isFalse();
      assertThat(ranges.contains(keys[keys.length - 1] + 1)).isFalse();
    }
  }

  /** Many keys far apart: the narrowest gaps between them are in ranges, too. */
  @Test
  void moreKeysThanRangesAreApartAtTheWidestGaps() {
    Random random = new Random(System.nanoTime());
    long[] keys = random.longs(50_000).sorted().toArray();
    KeyRanges ranges = KeyRanges.of(keys);
    assertThat(ranges.ranges()).hasSize(1 << 14);
    assertThat(LongStream.of(keys)).allMatch(ranges::contains);
    long[] gaps =
        IntStream.range(1, keys.length).mapToLong(i -> keys[i] - keys[i - 1]).sorted().toArray();
    long least = gaps[gaps.length + 1 - (1 << 14)];
    for (int i = 1; i < ranges.ranges().size(); i++) {
      long gap = ranges.ranges().get(i).least() - ranges.ranges().get(i - 1).greatest();
      assertThat(gap).isGreaterThanOrEqualTo(least);
    }
  }

  @Test
  void theEndsOfLongsAreFarApart() {
    KeyRanges keys = KeyRanges.of(new long[] {Long.MIN_VALUE, 0, Long.MAX_VALUE});
    assertThat(keys.ranges()).hasSize(3);
    assertThat(keys.overlaps(Long.MIN_VALUE + 1, -1)).isFalse();
    assertThat(keys.overlaps(1, Long.MAX_VALUE - 1)).isFalse();
  }

  @Test
  void anIntersectionHoldsWhatBothHold() {
    KeyRanges a = KeyRanges.of(new long[] {1, 2, 3, 10, 11, 12, 20});
    KeyRanges b = KeyRanges.of(new long[] {3, 4, 5, 11, 30});
    assertThat(a.intersect(b).ranges())
        .containsExactly(new KeyRanges.Range(3, 3), new KeyRanges.Range(11, 11));
    assertThat(a.intersect(KeyRanges.EMPTY)).isEqualTo(KeyRanges.EMPTY);
    assertThat(KeyRanges.between(2, 1)).isEqualTo(KeyRanges.EMPTY);
  }

  @Test
  void partitionsAreComparedAsWholeNumbersAndDates() {
    StructType partition = StructType.fromDDL("t string, i int, l bigint, d date");
    Map<Integer, KeyRanges> keys =
        Map.of(
            0, KeyRanges.EMPTY,
            1, KeyRanges.between(1, 2),
            2, KeyRanges.between(3, 4),
            3, KeyRanges.of(new long[] {10, 20}));
    PartitionKeys all = new PartitionKeys(keys, partition);
    UTF8String text = UTF8String.fromString("a");
    assertThat(all.mayMatch(row(text, 1, 4L, 20))).isTrue();
    assertThat(all.mayMatch(row(text, 3, 4L, 20))).isFalse();
    assertThat(all.mayMatch(row(text, 1, 5L, 20))).isFalse();
    assertThat(all.mayMatch(row(text, 1, 4L, 11))).isFalse();
    assertThat(all.mayMatch(row(text, 1, null, 20))).isFalse();
    assertThat(PartitionKeys.NONE.mayMatch(InternalRow.empty())).isTrue();
  }

  private static InternalRow row(Object... values) {
    return new GenericInternalRow(values);
  }
}
