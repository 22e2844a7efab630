package io.mooring.scan;

import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.Table;
import io.mooring.columnar.SelectedColumn;
import io.mooring.columnar.TableDownload;
import io.mooring.parquet.ScanCounters;
import io.mooring.pushdown.Expr;
import io.mooring.pushdown.RowColumns;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.apache.spark.sql.types.DataType;
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
  public @Nullable ColumnarBatch ofDevice(FilePlan plan, Table table) {
    return device.apply(plan, table, kept -> download(plan, kept));
  }

  private @Nullable ColumnarBatch download(FilePlan plan, Table kept) {
    int rows = (int) kept.getRowCount();
    int[] places = assembly.places(plan).toArray();
    if (rows == 0) {
      return null;
    } else if (places.length == 0) {
      return assembly.batch(plan, List.of(), rows);
    }
    ColumnVector[] columns =
        Arrays.stream(places).mapToObj(kept::getColumn).toArray(ColumnVector[]::new);
    List<DataType> types =
        Arrays.stream(places).mapToObj(at -> plan.columns().types().get(at)).toList();
    try (Table table = new Table(columns)) {
      TableDownload.Result result = Downloads.counted(table, types, counters);
      return assembly.batch(plan, result.columns(), rows);
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
