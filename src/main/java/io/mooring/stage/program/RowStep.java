package io.mooring.stage.program;

import io.mooring.expr.DeviceExpr;
import java.io.Serializable;
import java.util.List;

/** What is done with rows one by one. */
public sealed interface RowStep extends Serializable {
  /** Whether it does more than leave out columns or change their order. */
  boolean computes();

  /** Keeps the rows for which a condition is true; null is not. */
  record Filter(DeviceExpr condition) implements RowStep {
    @Override
    public boolean computes() {
      return true;
    }
  }

  /** Puts other columns in the place of those that there are. */
  record Project(List<DeviceExpr> columns) implements RowStep {
    public Project {
      columns = List.copyOf(columns);
    }

    @Override
    public boolean computes() {
      return !columns.stream().allMatch(DeviceExpr.InputColumn.class::isInstance);
    }
  }
}
