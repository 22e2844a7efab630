package io.mooring.stage.device;

import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.Table;
import io.mooring.expr.DeviceExpr;
import io.mooring.expr.device.DeviceBatch;
import io.mooring.expr.device.ExprEvaluator;
import io.mooring.scan.ResultTooLargeException;
import io.mooring.scan.StageOperators;
import io.mooring.stage.program.BufferFunction;
import io.mooring.stage.program.RowStep;
import io.mooring.stage.program.StageProgram;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The operators of a stage over device columns. */
public final class DeviceOperators implements StageOperators {
  private final StageProgram program;
  private final BuildTables builds;
  private final @Nullable PartialGrouping grouping;

  /**
   * @param builds what its joins look rows up in; taken over
   */
  public DeviceOperators(StageProgram program, BuildTables builds) {
    this.program = program;
    this.builds = builds;
    this.grouping = program.aggregate() == null ? null : new PartialGrouping(program.aggregate());
  }

  @Override
  public void prepare() {
    for (RowStep step : program.steps()) {
      if (step instanceof RowStep.Join join) {
        builds.of(join);
      }
    }
  }

  @Override
  public @Nullable DeviceBatch apply(DeviceBatch rows) {
    return applied(program.steps(), rows);
  }

  /** What some steps, and the aggregate behind them, make of rows, which stay the caller's. */
  private @Nullable DeviceBatch applied(List<RowStep> steps, DeviceBatch rows) {
    DeviceBatch current = retained(rows);
    try {
      for (int i = 0; i < steps.size(); i++) {
        if (steps.get(i) instanceof RowStep.Expand expand) {
          return expanded(expand, steps.subList(i + 1, steps.size()), current);
        }
        DeviceBatch next = applied(steps.get(i), current);
        current.close();
        current = next;
        if (current.rows() == 0) {
          return null;
        }
      }
      return grouping == null ? retained(current) : grouping.group(current);
    } finally {
      current.close();
    }
  }

  private DeviceBatch applied(RowStep step, DeviceBatch rows) {
    if (step instanceof RowStep.Filter filter) {
      return filtered(filter.condition(), rows);
    } else if (step instanceof RowStep.Join join) {
      return new BroadcastProbe(join, builds.of(join)).apply(rows);
    } else if (step instanceof RowStep.Group group) {
      return new PartialGrouping(group.aggregate()).group(rows);
    }
    return projected(((RowStep.Project) step).columns(), rows);
  }

  /** Goes on with one projection after the other: with all at once there would be more rows. */
  private @Nullable DeviceBatch expanded(
      RowStep.Expand expand, List<RowStep> above, DeviceBatch rows) {
    List<DeviceBatch> parts = new ArrayList<>();
    try {
      for (List<DeviceExpr> projection : expand.projections()) {
        try (DeviceBatch projected = projected(projection, rows)) {
          DeviceBatch part = applied(above, projected);
          if (part != null) {
            parts.add(part);
          }
        }
      }
      checkSize(parts);
      return parts.isEmpty() ? null : Columns.concatenated(parts, program.output());
    } finally {
      parts.forEach(DeviceBatch::close);
    }
  }

  private static void checkSize(List<DeviceBatch> parts) {
    if (parts.stream().mapToLong(DeviceBatch::bytes).sum() > BroadcastProbe.MOST_BYTES) {
      throw new ResultTooLargeException("grouping sets make too many rows of too few");
    }
  }

  private static DeviceBatch projected(List<DeviceExpr> columns, DeviceBatch rows) {
    return new DeviceBatch(
        Columns.of(columns, it -> ExprEvaluator.evaluate(it, rows)), rows.rows());
  }

  private static DeviceBatch filtered(DeviceExpr condition, DeviceBatch rows) {
    try (ColumnVector mask = ExprEvaluator.evaluate(condition, rows)) {
      return Columns.filtered(rows, mask);
    }
  }

  private static DeviceBatch retained(DeviceBatch rows) {
    return Columns.selected(rows, IntStream.range(0, rows.width()).boxed().toList());
  }

  @Override
  public int expansion() {
    return program.expansion();
  }

  @Override
  public boolean merges() {
    return program.aggregate() != null
        && program.aggregate().functions().stream()
            .noneMatch(it -> it.kind() == BufferFunction.Kind.MOMENTS);
  }

  @Override
  public DeviceBatch merged(List<DeviceBatch> partials) {
    List<Table> tables = new ArrayList<>();
    try {
      partials.forEach(partial -> tables.add(Columns.table(partial)));
      try (Table all = Table.concatenate(tables.toArray(Table[]::new));
          DeviceBatch together = Columns.batch(all, all.getNumberOfColumns())) {
        return Objects.requireNonNull(grouping)
            .merge(together, partials.size() * program.expansion());
      }
    } finally {
      tables.forEach(Table::close);
    }
  }

  @Override
  public void close() {
    builds.close();
  }
}
