package io.mooring.scan.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.HostColumnVector;
import ai.rapids.cudf.Table;
import io.mooring.gpu.GpuRuntime;
import io.mooring.scan.output.RowIndexes.Span;
import io.mooring.testing.RequiresGpu;
import io.mooring.testing.Sessions;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;

/** The indexes of rows of a unit, in whichever tables it is decoded. */
class RowIndexesTest {
  /** Row groups of three files, of the second with a gap. */
  private static final List<Span> SPANS =
      List.of(new Span(0, 10), new Span(5_000_000_000L, 1), new Span(7, 90), new Span(0, 3));

  private static List<Long> all() {
    return values(SPANS);
  }

  private static List<Long> values(List<Span> spans) {
    return spans.stream()
        .flatMapToLong(it -> LongStream.range(it.first(), it.first() + it.rows()))
        .boxed()
        .toList();
  }

  @Test
  void everyStretchHasItsOwn() {
    RowIndexes indexes = new RowIndexes(SPANS);
    List<Long> all = all();
    for (int from = 0; from <= all.size(); from++) {
      for (int to = from; to <= all.size(); to++) {
        assertThat(values(indexes.in(from, to - from))).isEqualTo(all.subList(from, to));
      }
    }
  }

  @Test
  void otherNumbersOfRowsAreRefused() {
    RowIndexes indexes = new RowIndexes(SPANS);
    indexes.checkAll(104);
    assertThatThrownBy(() -> indexes.checkAll(103)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> indexes.in(100, 5)).isInstanceOf(IllegalStateException.class);
    new RowIndexes(List.of()).checkAll(7);
  }

  @Test
  @RequiresGpu
  void columnsOfTables() {
    SparkSession spark = Sessions.withPlugin(1, Map.of("spark.mooring.pinnedPool.size", "64m"));
    try {
      assertThat(GpuRuntime.current().orElseThrow().usable()).isTrue();
      Random random = new Random(3);
      int size = all().size();
      for (int i = 0; i < 50; i++) {
        int from = random.nextInt(size);
        int to = from + random.nextInt(size - from + 1);
        assertThat(indexed(from, to)).isEqualTo(all().subList(from, to));
      }
    } finally {
      spark.stop();
    }
  }

  private static List<Long> indexed(int from, int to) {
    try (ColumnVector column = ColumnVector.fromInts(new int[to - from]);
        Table table = new Table(column)) {
      return new RowIndexes(SPANS)
          .use(
              table,
              from,
              all -> {
                assertThat(all.getNumberOfColumns()).isEqualTo(2);
                try (HostColumnVector host = all.getColumn(1).copyToHost()) {
                  return IntStream.range(0, to - from).mapToObj(host::getLong).toList();
                }
              });
    }
  }
}
