package io.mooring.scan.output;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.scan.plan.DeletedRows;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.junit.jupiter.api.Test;

class DeletedRowsTest {
  private final DeletedRows rows = new DeletedRows(new long[] {0, 3, 4, 9, 5_000_000_000L});

  @Test
  void thoseOfAStretchAreCountedFromItsFirstRow() {
    assertThat(rows.in(3, 10)).containsExactly(0, 1, 6);
    assertThat(rows.in(5, 9)).isEmpty();
    assertThat(rows.in(4_999_999_999L, 5_000_000_001L)).containsExactly(1);
    assertThat(rows.countIn(0, 4)).isEqualTo(2);
    assertThat(DeletedRows.NONE.in(0, 100)).isEmpty();
  }

  @Test
  void rowGroupsAreCountedByWhereTheyBegin() {
    List<BlockMetaData> file = List.of(rowGroup(4), rowGroup(0), rowGroup(5), rowGroup(7));
    assertThat(DeletedRows.firstRow(file, 3)).isEqualTo(9);
    assertThat(rows.countIn(file, List.of(0, 3))).isEqualTo(3);
    assertThat(rows.countIn(file, List.of(1))).isZero();
  }

  private static BlockMetaData rowGroup(long rows) {
    BlockMetaData rowGroup = new BlockMetaData();
    rowGroup.setRowCount(rows);
    return rowGroup;
  }

  @Test
  void rowsLeftOfEachFile() {
    long[] rows = {3, 0, 4, 1};
    assertThat(LiveRows.liveRows(rows, new int[] {0, 2, 3, 6})).containsExactly(1, 0, 2, 1);
    assertThat(LiveRows.liveRows(rows, new int[] {7})).containsExactly(3, 0, 4, 0);
    assertThat(LiveRows.liveRows(rows, new int[0])).containsExactly(rows);
  }

  @Test
  void everyStretchHasItsOwn() {
    Random random = new Random(5);
    boolean[] deleted = new boolean[1000];
    random.ints(400, 0, 1000).forEach(i -> deleted[i] = true);
    DeletedRows all =
        new DeletedRows(LongStream.range(0, 1000).filter(i -> deleted[(int) i]).toArray());
    for (int from = 0; from < 1000; from += random.nextInt(50)) {
      int to = from + random.nextInt(1001 - from);
      boolean[] found = new boolean[to - from];
      Arrays.stream(all.in(from, to)).forEach(i -> found[i] = true);
      assertThat(found).isEqualTo(Arrays.copyOfRange(deleted, from, to));
    }
  }
}
