package io.mooring.stage.task;

import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.DType;
import ai.rapids.cudf.Table;
import io.mooring.columnar.CudfTypes;
import io.mooring.expr.DeviceExpr;
import io.mooring.expr.device.DeviceBatch;
import io.mooring.expr.device.ExprEvaluator;
import io.mooring.pushdown.Column;
import io.mooring.pushdown.Constant;
import io.mooring.scan.output.FileFilter;
import io.mooring.scan.output.UnitOutput.DecodedUnit;
import io.mooring.scan.plan.FilePlan;
import io.mooring.scan.plan.ScanContext;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.StructField;
import org.jspecify.annotations.Nullable;

/**
 * Applies the scan's filter and the operators of a stage to decoded units. Belongs to one thread.
 */
final class UnitOperators implements AutoCloseable {
  private final ScanContext context;
  private final FileFilter.OnDevice filter;
  private final StageOperators stage;
  private final StageCounters counters;

  UnitOperators(ScanContext context, StageOperators stage, StageCounters counters) {
    this.context = context;
    this.filter =
        new FileFilter.OnDevice(new FileFilter(context.pushdown().filter(), context.constants()));
    this.stage = stage;
    this.counters = counters;
  }

  /** The operators of the stage. */
  StageOperators stage() {
    return stage;
  }

  /** The stage's rows of a unit, which the caller closes; null when there is none. */
  @Nullable DeviceBatch apply(DecodedUnit unit) {
    return filter.<@Nullable DeviceBatch>apply(
        unit.plan(), unit.table(), rows -> operated(unit.plan(), rows));
  }

  private @Nullable DeviceBatch operated(FilePlan plan, Table rows) {
    counters.scanned(rows.getRowCount());
    if (rows.getRowCount() == 0) {
      return null;
    }
    long before = System.nanoTime();
    try (DeviceBatch input = input(plan, rows)) {
      return stage.apply(input);
    } finally {
      counters.operated(System.nanoTime() - before);
      counters.rowsOfOperators(stage.rowsOut());
    }
  }

  /** The columns that the scan would put out, in its order. */
  private DeviceBatch input(FilePlan plan, Table rows) {
    List<ColumnVector> columns = new ArrayList<>();
    boolean all = false;
    try {
      for (StructField field : context.pushdown().output().fields()) {
        columns.add(column(plan, field, rows));
      }
      all = true;
      return new DeviceBatch(columns, rows.getRowCount());
    } finally {
      if (!all) {
        columns.forEach(ColumnVector::close);
      }
    }
  }

  private ColumnVector column(FilePlan plan, StructField field, Table rows) {
    DataType type = field.dataType();
    Constant constant = context.constants().of(plan, new Column(field.name(), type));
    if (constant != null) {
      DeviceBatch none = new DeviceBatch(List.of(), rows.getRowCount());
      return ExprEvaluator.evaluate(new DeviceExpr.Literal(constant.value(), type), none);
    }
    int at = plan.columns().decodedAt()[context.columns().data().fieldIndex(field.name())];
    ColumnVector decoded = rows.getColumn(at);
    if (type instanceof DecimalType) {
      DType width = CudfTypes.of(type);
      return decoded.getType().equals(width) ? decoded.incRefCount() : decoded.castTo(width);
    }
    return decoded.incRefCount();
  }

  @Override
  public void close() {
    stage.close();
  }
}
