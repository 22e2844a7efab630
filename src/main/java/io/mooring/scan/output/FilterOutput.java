package io.mooring.scan.output;

import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.Scalar;
import ai.rapids.cudf.Table;
import io.mooring.columnar.ColumnShape;
import io.mooring.columnar.RowMappedColumnVector;
import io.mooring.parquet.unit.ScanCounters;
import io.mooring.pushdown.Expr;
import io.mooring.pushdown.RowColumns;
import io.mooring.scan.output.UnitOutput.DecodedUnit;
import io.mooring.scan.output.UnitOutput.FileBatch;
import io.mooring.scan.plan.FilePlan;
import io.mooring.scan.plan.ScanContext;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.jspecify.annotations.Nullable;

/** Rows that pass a filter leave, with the columns that are wanted behind it. */
public final class FilterOutput implements ScanOutput {
  private final Expr filter;
  private final FileFilter inFile;
  private final StructType read;
  private final int[] wantedAt;
  private final ColumnarBatchBuilder builder;
  private final ScanCounters counters;

  public FilterOutput(ScanContext context, ScanCounters counters) {
    StructType output = context.pushdown().output();
    this.filter = Objects.requireNonNull(context.pushdown().filter());
    this.inFile = new FileFilter(filter, context.constants());
    this.read = context.columns().all();
    this.wantedAt = Arrays.stream(output.fieldNames()).mapToInt(read::fieldIndex).toArray();
    this.builder = new ColumnarBatchBuilder(context.constants(), output);
    this.counters = counters;
  }

  @Override
  public List<FileBatch> ofDevice(DecodedUnit unit) {
    return new OnDevice(new FileFilter.OnDevice(inFile), builder, counters).passing(unit);
  }

  @Override
  public @Nullable ColumnarBatch ofCount(FilePlan plan, int rows) {
    return inFile.in(plan) == null ? builder.batch(plan, List.of(), rows) : null;
  }

  @Override
  public @Nullable ColumnarBatch ofSpark(ColumnarBatch batch) {
    RowColumns row = new RowColumns(read);
    int[] selected =
        IntStream.range(0, batch.numRows())
            .filter(i -> Boolean.TRUE.equals(filter.onRow(row.of(batch.getRow(i)))))
            .toArray();
    if (selected.length == 0) {
      return null;
    }
    List<RowMappedColumnVector> columns = new ArrayList<>();
    for (int at : wantedAt) {
      columns.add(RowMappedColumnVector.select(batch.column(at), selected));
    }
    return new ColumnarBatch(columns.toArray(RowMappedColumnVector[]::new), selected.length);
  }

  @Override
  public @Nullable ColumnarBatch atEnd() {
    return null;
  }

  /**
   * Filters decoded units and downloads the rows that pass. A class of its own, because the output
   * is also made where there is no cudf.
   */
  private record OnDevice(
      FileFilter.OnDevice filter, ColumnarBatchBuilder builder, ScanCounters counters) {
    /** The batches of a decoded unit, one for each file with rows that pass. */
    List<FileBatch> passing(DecodedUnit unit) {
      if (unit.plans().size() == 1) {
        return filter.apply(unit.plan(), unit.table(), passing -> ofOneFile(unit, passing));
      }
      try (Table numbered = RowNumbers.appended(unit.table())) {
        return filter.apply(unit.plan(), numbered, passing -> ofFiles(unit, passing));
      }
    }

    private List<FileBatch> ofOneFile(DecodedUnit unit, Table passing) {
      long[] rows = {passing.getRowCount()};
      List<Integer> ordinals = builder.ordinals(unit.plan()).boxed().toList();
      if (rows[0] == 0) {
        return List.of();
      }
      return builder.batches(unit.plans(), rows, download(unit, passing, ordinals));
    }

    private List<FileBatch> ofFiles(DecodedUnit unit, Table passing) {
      int rows = (int) passing.getRowCount();
      if (rows == 0) {
        return List.of();
      }
      List<Integer> ordinals = new ArrayList<>(builder.ordinals(unit.plan()).boxed().toList());
      ordinals.add(passing.getNumberOfColumns() - 1);
      List<org.apache.spark.sql.vectorized.ColumnVector> columns =
          download(unit, passing, ordinals);
      try (var numbers = columns.remove(columns.size() - 1)) {
        return builder.batches(
            unit.plans(), RowNumbers.perFile(numbers, rows, unit.rows()), columns);
      }
    }

    private List<org.apache.spark.sql.vectorized.ColumnVector> download(
        DecodedUnit unit, Table passing, List<Integer> ordinals) {
      if (ordinals.isEmpty()) {
        return List.of();
      }
      List<ColumnShape> decoded = unit.plan().columns().shapes();
      ColumnShape numbers = ColumnShape.flat(DataTypes.IntegerType);
      List<ColumnShape> shapes =
          ordinals.stream().map(at -> at < decoded.size() ? decoded.get(at) : numbers).toList();
      try (Table wanted =
          new Table(ordinals.stream().map(passing::getColumn).toArray(ColumnVector[]::new))) {
        unit.endTurn().run();
        return UnitOutput.download(wanted, shapes, counters).columns();
      }
    }
  }

  /** A last column of row numbers, by which rows that pass a filter are assigned to their files. */
  static final class RowNumbers {
    private RowNumbers() {}

    /** The columns of a table and behind them the rows' numbers; the caller closes it. */
    static Table appended(Table table) {
      int columns = table.getNumberOfColumns();
      ColumnVector[] all = new ColumnVector[columns + 1];
      for (int i = 0; i < columns; i++) {
        all[i] = table.getColumn(i);
      }
      try (Scalar zero = Scalar.fromInt(0);
          ColumnVector numbers = ColumnVector.sequence(zero, (int) table.getRowCount())) {
        all[columns] = numbers;
        return new Table(all);
      }
    }

    /**
     * The number of selected rows of each file.
     *
     * @param numbers of the selected rows, ascending
     * @param rows of each file before the filter
     */
    static long[] perFile(
        org.apache.spark.sql.vectorized.ColumnVector numbers, int count, long[] rows) {
      long[] perFile = new long[rows.length];
      long end = 0;
      int before = 0;
      for (int i = 0; i < rows.length; i++) {
        end += rows[i];
        int below = below(numbers, count, end);
        perFile[i] = below - before;
        before = below;
      }
      return perFile;
    }

    private static int below(
        org.apache.spark.sql.vectorized.ColumnVector numbers, int count, long end) {
      int low = 0;
      int high = count;
      while (low < high) {
        int middle = (low + high) >>> 1;
        if (numbers.getInt(middle) < end) {
          low = middle + 1;
        } else {
          high = middle;
        }
      }
      return low;
    }
  }
}
