package io.mooring.scan.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mooring.columnar.ColumnShape;
import io.mooring.parquet.source.ParquetFile;
import io.mooring.scan.output.UnitOutput.FileBatch;
import io.mooring.scan.plan.ConstantColumns;
import io.mooring.scan.plan.DeletedRows;
import io.mooring.scan.plan.FilePlan;
import io.mooring.scan.schema.FileColumns;
import io.mooring.scan.schema.ScanColumns;
import io.mooring.scan.split.FileSplit;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.execution.vectorized.OnHeapColumnVector;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.junit.jupiter.api.Test;

/** The rows of several files that were decoded together. */
class ColumnarBatchBuilderTest {
  private static final StructType DATA = new StructType().add("a", DataTypes.IntegerType);
  private static final StructType PARTITIONS = new StructType().add("p", DataTypes.IntegerType);

  private static FilePlan plan(int partition) {
    FileSplit split =
        new FileSplit(
            new ParquetFile("f" + partition, 1, 0),
            "f" + partition,
            0,
            1,
            new GenericInternalRow(new Object[] {partition}),
            new String[0]);
    FileColumns columns =
        new FileColumns(List.of(), List.of(ColumnShape.flat(DataTypes.IntegerType)), new int[1]);
    return new FilePlan(split, List.of(), 0, columns, 0, 0, DeletedRows.NONE);
  }

  /** Rows 0, 1, 2, ..., of which every fourth is null. */
  private static OnHeapColumnVector numbers(int rows) {
    OnHeapColumnVector column = new OnHeapColumnVector(rows, DataTypes.IntegerType);
    for (int i = 0; i < rows; i++) {
      if (i % 4 == 3) {
        column.putNull(i);
      } else {
        column.putInt(i, i);
      }
    }
    return column;
  }

  private static ColumnarBatchBuilder assembly() {
    return new ColumnarBatchBuilder(
        new ConstantColumns(new ScanColumns(DATA, PARTITIONS)),
        DATA.add("p", DataTypes.IntegerType));
  }

  @Test
  void everyFileGetsItsRowsAndItsConstants() {
    long[] rows = {3, 0, 6, 1};
    List<FilePlan> plans = List.of(plan(0), plan(1), plan(2), plan(3));
    List<String> seen = new ArrayList<>();
    int nulls = 0;
    for (FileBatch made : assembly().batches(plans, rows, List.of(numbers(10)))) {
      nulls += made.batch().column(0).numNulls();
      made.batch()
          .rowIterator()
          .forEachRemaining(
              row ->
                  seen.add(
                      made.split().path()
                          + " "
                          + (row.isNullAt(0) ? null : row.getInt(0))
                          + " "
                          + row.getInt(1)));
      made.batch().close();
    }
    assertThat(seen)
        .containsExactly(
            "f0 0 0",
            "f0 1 0",
            "f0 2 0",
            "f2 null 2",
            "f2 4 2",
            "f2 5 2",
            "f2 6 2",
            "f2 null 2",
            "f2 8 2",
            "f3 9 3");
    assertThat(nulls).isEqualTo(2);
  }

  @Test
  void theLastBatchGivesTheColumnsBack() {
    OnHeapColumnVector column = numbers(4);
    List<FileBatch> made =
        assembly().batches(List.of(plan(0), plan(1)), new long[] {2, 2}, List.of(column));
    made.get(0).batch().close();
    ColumnarBatch last = made.get(1).batch();
    assertThat(last.column(0).getInt(0)).isEqualTo(2);
    last.close();
    assertThatThrownBy(() -> column.getInt(2)).isInstanceOf(NullPointerException.class);
  }

  @Test
  void keptRowsAreCountedForEachFile() {
    OnHeapColumnVector kept = new OnHeapColumnVector(5, DataTypes.IntegerType);
    int[] numbers = {0, 4, 5, 9, 19};
    kept.putInts(0, numbers.length, numbers, 0);
    assertThat(FilterOutput.RowNumbers.perFile(kept, numbers.length, new long[] {5, 0, 5, 5, 5}))
        .containsExactly(2, 0, 2, 0, 1);
    assertThat(FilterOutput.RowNumbers.perFile(kept, 0, new long[] {5, 15})).containsExactly(0, 0);
  }
}
