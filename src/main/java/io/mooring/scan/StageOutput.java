package io.mooring.scan;

import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.DType;
import ai.rapids.cudf.DecimalUtils;
import ai.rapids.cudf.Table;
import io.mooring.columnar.ColumnShape;
import io.mooring.columnar.TableDownload;
import io.mooring.expr.DeviceExpr;
import io.mooring.expr.device.DeviceBatch;
import io.mooring.expr.device.ExprEvaluator;
import io.mooring.parquet.ScanCounters;
import io.mooring.pushdown.Column;
import io.mooring.pushdown.Constant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.jspecify.annotations.Nullable;

/**
 * What a stage makes of the units of its scan: rows that leave with their unit, or groups that are
 * held on the device and merged until the task ends.
 */
final class StageOutput implements UnitOutput {
  private final ScanReaderFactory factory;
  private final DeviceFilter filter;
  private final StageOperators operators;
  private final List<ColumnShape> shapes;
  private final ScanCounters counters;
  private final StageCounters stage;
  private final HeldPartials held;
  private final List<DeviceBatch> pending = new ArrayList<>();
  private boolean merging;
  private long pendingRows;
  private long rows;
  private long groups;

  StageOutput(
      ScanReaderFactory factory,
      StageOperators operators,
      List<DataType> types,
      ScanCounters counters,
      StageCounters stage) {
    this.factory = factory;
    this.filter =
        new DeviceFilter(new FileFilter(factory.pushdown().filter(), factory.constants()));
    this.operators = operators;
    this.shapes = types.stream().map(ColumnShape::flat).toList();
    this.counters = counters;
    this.stage = stage;
    this.held = new HeldPartials(operators);
    this.merging = operators.merges();
  }

  @Override
  public List<FileBatch> ofDevice(DecodedUnit unit) {
    DeviceBatch result =
        filter.<@Nullable DeviceBatch>apply(
            unit.plan(), unit.table(), kept -> operated(unit.plan(), kept));
    if (result == null) {
      return List.of();
    } else if (merging) {
      pending.add(result);
      return List.of();
    }
    try (result) {
      return List.of(new FileBatch(unit.plan().split(), downloaded(result)));
    }
  }

  private @Nullable DeviceBatch operated(FilePlan plan, Table kept) {
    stage.scanned(kept.getRowCount());
    if (kept.getRowCount() == 0) {
      return null;
    }
    pendingRows += kept.getRowCount();
    long before = System.nanoTime();
    try (DeviceBatch input = input(plan, kept)) {
      return operators.apply(input);
    } finally {
      stage.operated(System.nanoTime() - before);
    }
  }

  /** The columns that the scan would put out, in its order. */
  private DeviceBatch input(FilePlan plan, Table kept) {
    List<ColumnVector> columns = new ArrayList<>();
    boolean all = false;
    try {
      for (StructField field : factory.pushdown().output().fields()) {
        columns.add(column(plan, field, kept));
      }
      all = true;
      return new DeviceBatch(columns, kept.getRowCount());
    } finally {
      if (!all) {
        columns.forEach(ColumnVector::close);
      }
    }
  }

  private ColumnVector column(FilePlan plan, StructField field, Table kept) {
    DataType type = field.dataType();
    Constant constant = factory.constants().of(plan, new Column(field.name(), type));
    if (constant != null) {
      DeviceBatch none = new DeviceBatch(List.of(), kept.getRowCount());
      return ExprEvaluator.evaluate(new DeviceExpr.Literal(constant.value(), type), none);
    }
    int at = plan.columns().decodedAt()[factory.dataColumns().fieldIndex(field.name())];
    ColumnVector decoded = kept.getColumn(at);
    if (type instanceof DecimalType decimal) {
      DType width = DecimalUtils.createDecimalType(decimal.precision(), decimal.scale());
      return decoded.getType().equals(width) ? decoded.incRefCount() : decoded.castTo(width);
    }
    return decoded.incRefCount();
  }

  private ColumnarBatch downloaded(DeviceBatch result) {
    int count = (int) result.rows();
    if (result.width() == 0) {
      return new ColumnarBatch(new org.apache.spark.sql.vectorized.ColumnVector[0], count);
    }
    ColumnVector[] columns =
        IntStream.range(0, result.width()).mapToObj(result::column).toArray(ColumnVector[]::new);
    try (Table table = new Table(columns)) {
      TableDownload.Result host = Downloads.counted(table, shapes, counters);
      return new ColumnarBatch(
          host.columns().toArray(org.apache.spark.sql.vectorized.ColumnVector[]::new), count);
    }
  }

  @Override
  public void done(ScanSteps.Decode unit) {
    rows += pendingRows;
    groups += pending.stream().mapToLong(DeviceBatch::rows).sum();
    if (!pending.isEmpty()) {
      held.add(pending, LeftStretches.of(unit));
      pending.clear();
    }
    pendingRows = 0;
  }

  @Override
  public void drop() {
    pending.forEach(DeviceBatch::close);
    pending.clear();
    pendingRows = 0;
  }

  @Override
  public boolean holds() {
    return !held.isEmpty();
  }

  @Override
  public List<FileBatch> settle(boolean atEnd) {
    if (HeldPartials.reduceTooLittle(rows, groups)) {
      merging = false;
    }
    boolean leave = atEnd || !merging || held.areLarge();
    boolean merged = !(leave || held.areMany()) || merged();
    return leave || !merged ? taken() : List.of();
  }

  /** Whether there was room on the device to merge what is held; it may leave as it is. */
  private boolean merged() {
    long before = System.nanoTime();
    try {
      held.merge();
      return true;
    } catch (RuntimeException | OutOfMemoryError e) {
      if (OutOfDeviceMemory.is(e)) {
        return false;
      }
      throw e;
    } finally {
      stage.operated(System.nanoTime() - before);
    }
  }

  private List<FileBatch> taken() {
    List<FileBatch> taken = new ArrayList<>();
    boolean all = false;
    try {
      FileSplit split = held.splits().get(0);
      held.batches().forEach(batch -> taken.add(new FileBatch(split, downloaded(batch))));
      all = true;
      held.close();
      return taken;
    } finally {
      if (!all) {
        taken.forEach(made -> made.batch().close());
      }
    }
  }

  @Override
  public List<FileSplit> abandon() {
    drop();
    List<FileSplit> splits = held.splits();
    held.close();
    return splits;
  }

  @Override
  public void close() {
    operators.close();
  }
}
