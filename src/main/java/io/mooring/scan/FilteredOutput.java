package io.mooring.scan;

import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.Table;
import io.mooring.columnar.SelectedColumn;
import io.mooring.parquet.ScanCounters;
import io.mooring.pushdown.Expr;
import io.mooring.pushdown.RowColumns;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.jspecify.annotations.Nullable;

/** Rows that pass a filter leave, with the columns that are wanted behind it. */
final class FilteredOutput implements UnitOutput {
  private final Expr filter;
  private final DeviceFilter device;
  private final StructType read;
  private final int[] wantedAt;
  private final BatchAssembly assembly;
  private final ScanCounters counters;

  FilteredOutput(ScanReaderFactory factory, ScanCounters counters) {
    StructType output = factory.pushdown().output();
    this.filter = Objects.requireNonNull(factory.pushdown().filter());
    this.device = new DeviceFilter(filter, factory.constants());
    this.read = factory.readColumns();
    this.wantedAt = Arrays.stream(output.fieldNames()).mapToInt(read::fieldIndex).toArray();
    this.assembly = new BatchAssembly(factory.constants(), output);
    this.counters = counters;
  }

  @Override
  public List<FileBatch> ofDevice(DecodedUnit unit) {
    if (unit.plans().size() == 1) {
      return device.apply(unit.plan(), unit.table(), kept -> ofOneFile(unit, kept));
    }
    try (Table numbered = RowNumbers.appended(unit.table())) {
      return device.apply(unit.plan(), numbered, kept -> ofFiles(unit, kept));
    }
  }

  private List<FileBatch> ofOneFile(DecodedUnit unit, Table kept) {
    long[] rows = {kept.getRowCount()};
    List<Integer> places = assembly.places(unit.plan()).boxed().toList();
    if (rows[0] == 0) {
      return List.of();
    }
    return assembly.batches(unit.plans(), rows, download(unit, kept, places));
  }

  private List<FileBatch> ofFiles(DecodedUnit unit, Table kept) {
    int rows = (int) kept.getRowCount();
    if (rows == 0) {
      return List.of();
    }
    List<Integer> places = new ArrayList<>(assembly.places(unit.plan()).boxed().toList());
    places.add(kept.getNumberOfColumns() - 1);
    List<org.apache.spark.sql.vectorized.ColumnVector> columns = download(unit, kept, places);
    try (var numbers = columns.remove(columns.size() - 1)) {
      return assembly.batches(
          unit.plans(), RowNumbers.perFile(numbers, rows, unit.rows()), columns);
    }
  }

  private List<org.apache.spark.sql.vectorized.ColumnVector> download(
      DecodedUnit unit, Table kept, List<Integer> places) {
    if (places.isEmpty()) {
      return List.of();
    }
    List<DataType> decoded = unit.plan().columns().types();
    List<DataType> types =
        places.stream()
            .map(at -> at < decoded.size() ? decoded.get(at) : DataTypes.IntegerType)
            .toList();
    try (Table wanted =
        new Table(places.stream().map(kept::getColumn).toArray(ColumnVector[]::new))) {
      return Downloads.counted(wanted, types, counters).columns();
    }
  }

  @Override
  public @Nullable ColumnarBatch ofCount(FilePlan plan, int rows) {
    return device.in(plan) == null ? assembly.batch(plan, List.of(), rows) : null;
  }

  @Override
  public @Nullable ColumnarBatch ofSpark(ColumnarBatch batch) {
    RowColumns row = new RowColumns(read);
    int[] kept =
        IntStream.range(0, batch.numRows())
            .filter(i -> Boolean.TRUE.equals(filter.onRow(row.of(batch.getRow(i)))))
            .toArray();
    if (kept.length == 0) {
      return null;
    }
    List<SelectedColumn> columns = new ArrayList<>();
    for (int at : wantedAt) {
      columns.add(new SelectedColumn(batch.column(at), kept));
    }
    return new ColumnarBatch(columns.toArray(SelectedColumn[]::new), kept.length);
  }

  @Override
  public @Nullable ColumnarBatch atEnd() {
    return null;
  }
}
