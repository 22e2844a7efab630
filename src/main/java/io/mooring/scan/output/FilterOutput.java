package io.mooring.scan.output;

import io.mooring.columnar.SelectionColumnVector;
import io.mooring.parquet.unit.ScanCounters;
import io.mooring.pushdown.Expr;
import io.mooring.pushdown.RowColumns;
import io.mooring.scan.output.UnitOutput.FileBatch;
import io.mooring.scan.plan.FilePlan;
import io.mooring.scan.plan.ScanContext;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.jspecify.annotations.Nullable;

/** Rows that pass a filter leave, with the columns that are wanted behind it. */
public final class FilterOutput implements ScanOutput {
  private final Expr filter;
  private final FileFilter inFile;
  private final StructType read;
  private final int[] wantedAt;
  private final ColumnarBatchBuilder assembly;
  private final ScanCounters counters;

  public FilterOutput(ScanContext context, ScanCounters counters) {
    StructType output = context.pushdown().output();
    this.filter = Objects.requireNonNull(context.pushdown().filter());
    this.inFile = new FileFilter(filter, context.constants());
    this.read = context.columns().all();
    this.wantedAt = Arrays.stream(output.fieldNames()).mapToInt(read::fieldIndex).toArray();
    this.assembly = new ColumnarBatchBuilder(context.constants(), output);
    this.counters = counters;
  }

  @Override
  public List<FileBatch> ofDevice(DecodedUnit unit) {
    return new DeviceRows(new DeviceFilter(inFile), assembly, counters).passing(unit);
  }

  @Override
  public @Nullable ColumnarBatch ofCount(FilePlan plan, int rows) {
    return inFile.in(plan) == null ? assembly.batch(plan, List.of(), rows) : null;
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
    List<SelectionColumnVector> columns = new ArrayList<>();
    for (int at : wantedAt) {
      columns.add(new SelectionColumnVector(batch.column(at), kept));
    }
    return new ColumnarBatch(columns.toArray(SelectionColumnVector[]::new), kept.length);
  }

  @Override
  public @Nullable ColumnarBatch atEnd() {
    return null;
  }
}
