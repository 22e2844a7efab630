package io.mooring.scan.output;

import static org.assertj.core.api.Assertions.assertThat;

import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.HostColumnVector;
import ai.rapids.cudf.Table;
import io.mooring.gpu.GpuRuntime;
import io.mooring.parquet.read.NonEmptyNulls;
import io.mooring.scan.output.UnitOutput.DecodedUnit;
import io.mooring.testing.RequiresGpu;
import io.mooring.testing.Sessions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Rows that are deleted are left out of decoded tables, whichever range of a unit these are. */
@RequiresGpu
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LiveRowsTest {
  private static final int ROWS = 1000;

  private SparkSession spark;

  @BeforeAll
  void start() {
    spark = Sessions.withPlugin(1, Map.of("spark.mooring.pinnedPool.size", "64m"));
    assertThat(GpuRuntime.current().orElseThrow().usable()).isTrue();
    // A scan does so before the process makes its first column.
    NonEmptyNulls.disableAssertion();
  }

  @AfterAll
  void stop() {
    spark.stop();
  }

  /** The rows that come through of a table that has the rows from one of the unit to another. */
  private static List<Long> left(LiveRows live, int from, int to, List<long[]> perFile) {
    long[] values = LongStream.range(from, to).toArray();
    List<Long> left = new ArrayList<>();
    try (ColumnVector column = ColumnVector.fromLongs(values);
        Table table = new Table(column)) {
      long[] rows = {(to - from) / 3, 0, to - from - (to - from) / 3};
      live.use(
          new DecodedUnit(List.of(), rows, table, () -> {}),
          from,
          unit -> {
            perFile.add(unit.rows());
            try (HostColumnVector host = unit.table().getColumn(0).copyToHost()) {
              IntStream.range(0, (int) host.getRowCount()).forEach(i -> left.add(host.getLong(i)));
            }
            return List.of();
          });
    }
    return left;
  }

  @Test
  void everyStretchLosesItsOwn() {
    Random random = new Random(11);
    for (int percent : new int[] {0, 1, 50, 99, 100}) {
      int[] deleted = IntStream.range(0, ROWS).filter(i -> random.nextInt(100) < percent).toArray();
      LiveRows live = new LiveRows(deleted);
      for (int from = 0; from < ROWS; from += 1 + random.nextInt(300)) {
        int first = from;
        int to = from + 1 + random.nextInt(ROWS - from);
        List<long[]> perFile = new ArrayList<>();
        assertThat(left(live, from, to, perFile))
            .isEqualTo(
                LongStream.range(first, to)
                    .filter(row -> Arrays.binarySearch(deleted, (int) row) < 0)
                    .boxed()
                    .toList());
        int border = first + (to - first) / 3;
        for (long[] rows : perFile) {
          assertThat(rows[0])
              .isEqualTo(
                  border
                      - first
                      - Arrays.stream(deleted).filter(i -> i >= first && i < border).count());
        }
      }
    }
  }
}
