package io.mooring.parquet.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FileRangesTest {
  private static FileRange range(long offset, long length) {
    return new FileRange(offset, length);
  }

  @Test
  void merge_rangesWithinTheDistance_givesOne() {
    assertThat(FileRanges.merge(List.of(range(0, 10), range(14, 6)), 4))
        .containsExactly(range(0, 20));
  }

  @Test
  void merge_rangesFartherApart_staysTwo() {
    List<FileRange> apart = List.of(range(0, 10), range(15, 5));
    assertThat(FileRanges.merge(apart, 4)).isEqualTo(apart);
  }

  @Test
  void merge_ofUnorderedAndOverlappingRanges() {
    assertThat(FileRanges.merge(List.of(range(50, 10), range(0, 40), range(10, 5)), 0))
        .containsExactly(range(0, 40), range(50, 10));
  }

  @Test
  void merge_ofNothing_givesNothing() {
    assertThat(FileRanges.merge(List.of(), 100)).isEmpty();
  }

  @Test
  void merge_coversEveryByteByRangesThatAreApart() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int round = 0; round < 500; round++) {
      List<FileRange> ranges = new ArrayList<>();
      BitSet wanted = new BitSet();
      for (int i = random.nextInt(12); i > 0; i--) {
        FileRange next = range(random.nextInt(200), random.nextInt(40));
        ranges.add(next);
        wanted.set((int) next.offset(), (int) next.end());
      }
      int distance = random.nextInt(10);
      List<FileRange> merged = FileRanges.merge(ranges, distance);
      for (FileRange range : merged) {
        wanted.clear((int) range.offset(), (int) range.end());
      }
      assertThat(wanted.isEmpty()).as("seed %s, round %s", seed, round).isTrue();
      for (int i = 1; i < merged.size(); i++) {
        assertThat(merged.get(i).offset() - merged.get(i - 1).end())
            .as("seed %s, round %s", seed, round)
            .isGreaterThan(distance);
      }
    }
  }

  @Test
  void range_thatEndsBeyondLongs_isRefused() {
    assertThatThrownBy(() -> range(Long.MAX_VALUE, 1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> range(-1, 1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> range(1, -1)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void contains_withNegativeOrHugeNumbers_isFalse() {
    FileRange range = range(100, 50);
    assertThat(range.contains(100, 50)).isTrue();
    assertThat(range.contains(149, 2)).isFalse();
    assertThat(range.contains(99, 1)).isFalse();
    assertThat(range.contains(120, Long.MAX_VALUE)).isFalse();
    assertThat(range.contains(120, -1)).isFalse();
  }

  @Test
  void cutEvenly_givesFewRangesOfAboutTheSameLength() {
    FileRange range = new FileRange(5, 17);
    assertThat(FileRanges.cutEvenly(range, 16))
        .containsExactly(new FileRange(5, 9), new FileRange(14, 8));
    assertThat(FileRanges.cutEvenly(range, 17)).containsExactly(range);
    assertThat(FileRanges.cutEvenly(range, Long.MAX_VALUE)).containsExactly(range);
    assertThat(FileRanges.cutEvenly(new FileRange(5, 0), 16)).isEmpty();
  }
}
