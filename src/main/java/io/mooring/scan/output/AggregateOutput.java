package io.mooring.scan.output;

import ai.rapids.cudf.Table;
import io.mooring.pushdown.Expr;
import io.mooring.pushdown.PartialAggregate;
import io.mooring.pushdown.RowAggregator;
import io.mooring.pushdown.RowColumns;
import io.mooring.pushdown.SumOverflowCheck;
import io.mooring.pushdown.device.DeviceAggregator;
import io.mooring.scan.output.UnitOutput.DecodedUnit;
import io.mooring.scan.output.UnitOutput.FileBatch;
import io.mooring.scan.plan.ConstantColumns;
import io.mooring.scan.plan.FilePlan;
import io.mooring.scan.plan.ScanContext;
import java.util.List;
import java.util.Objects;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.execution.RowToColumnConverter;
import org.apache.spark.sql.execution.vectorized.OnHeapColumnVector;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.jspecify.annotations.Nullable;

/** Partial aggregates of the rows that pass a filter leave, at least one row. */
public final class AggregateOutput implements ScanOutput {
  private final @Nullable Expr filter;
  private final PartialAggregate aggregate;
  private final ConstantColumns constants;
  private final FileFilter inFile;
  private final StructType read;
  private final StructType output;
  private final SumOverflowCheck bounds;
  private final RowAggregator rows;
  private boolean returned;

  public AggregateOutput(ScanContext context) {
    this.filter = context.pushdown().filter();
    this.aggregate = Objects.requireNonNull(context.pushdown().aggregate());
    this.constants = context.constants();
    this.inFile = new FileFilter(filter, constants);
    this.read = context.columns().all();
    this.output = context.pushdown().output();
    this.bounds = new SumOverflowCheck(aggregate);
    this.rows = new RowAggregator(aggregate, bounds);
  }

  @Override
  public List<FileBatch> ofDevice(DecodedUnit unit) {
    FilePlan plan = unit.plan();
    ColumnarBatch result =
        new FileFilter.OnDevice(inFile)
            .apply(plan, unit.table(), passing -> aggregate(plan, passing));
    return result == null ? List.of() : List.of(new FileBatch(plan.split(), result));
  }

  @Override
  public void give(List<FileBatch> unit) {
    returned |= !unit.isEmpty();
  }

  private @Nullable ColumnarBatch aggregate(FilePlan plan, Table passing) {
    if (passing.getRowCount() == 0) {
      return null;
    }
    DeviceAggregator bound =
        new DeviceAggregator(aggregate.bind(column -> constants.of(plan, column)), bounds);
    return batch(List.of(bound.reduce(constants.device(plan, passing))));
  }

  private ColumnarBatch returned(List<InternalRow> rows) {
    returned = true;
    return batch(rows);
  }

  @Override
  public @Nullable ColumnarBatch ofCount(FilePlan plan, int count) {
    if (inFile.in(plan) != null) {
      return null;
    }
    rows.add(new RowColumns(read).of(constantRow(plan)), count);
    return takeWhenFull();
  }

  private InternalRow constantRow(FilePlan plan) {
    Object[] values = new Object[read.length()];
    int first = constants.scan().data().length();
    for (int i = first; i < values.length; i++) {
      var partition = plan.split().partitionValues();
      StructField field = read.fields()[i];
      values[i] = partition.isNullAt(i - first) ? null : partition.get(i - first, field.dataType());
    }
    return new GenericInternalRow(values);
  }

  @Override
  public @Nullable ColumnarBatch ofSpark(ColumnarBatch batch) {
    RowColumns row = new RowColumns(read);
    for (int i = 0; i < batch.numRows(); i++) {
      row.of(batch.getRow(i));
      if (filter == null || Boolean.TRUE.equals(filter.onRow(row))) {
        rows.add(row, 1);
      }
    }
    return takeWhenFull();
  }

  private @Nullable ColumnarBatch takeWhenFull() {
    return rows.isFull() ? returned(rows.take()) : null;
  }

  @Override
  public @Nullable ColumnarBatch atEnd() {
    List<InternalRow> remaining = rows.take();
    if (!remaining.isEmpty()) {
      return returned(remaining);
    }
    return returned ? null : returned(List.of(rows.ofNothing()));
  }

  /** Rows as a batch on the Java heap. */
  private ColumnarBatch batch(List<InternalRow> rows) {
    OnHeapColumnVector[] columns = OnHeapColumnVector.allocateColumns(rows.size(), output);
    RowToColumnConverter converter = new RowToColumnConverter(output);
    rows.forEach(row -> converter.convert(row, columns));
    return new ColumnarBatch(columns, rows.size());
  }
}
