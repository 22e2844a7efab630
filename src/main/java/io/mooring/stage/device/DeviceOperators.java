package io.mooring.stage.device;

import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.Table;
import io.mooring.expr.CommonExpressions;
import io.mooring.expr.DeviceExpr;
import io.mooring.expr.device.BatchEvaluator;
import io.mooring.expr.device.DeviceBatch;
import io.mooring.expr.device.ExprEvaluator;
import io.mooring.scan.prune.KeyRanges;
import io.mooring.stage.program.OperatorMemory;
import io.mooring.stage.program.RowOperator;
import io.mooring.stage.program.ScannedKey;
import io.mooring.stage.program.StageProgram;
import io.mooring.stage.program.WindowOperator;
import io.mooring.stage.task.StageOperators;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The operators of a stage over device columns. */
public final class DeviceOperators implements StageOperators {
  private final StageProgram program;
  private final BuildTables builds;
  private final LongSupplier share;
  private boolean slices;
  private final @Nullable PartialGrouping grouping;
  private final long[] rowsOut;

  /**
   * Operators over all rows of a batch at once.
   *
   * @param builds the build sides of the joins; taken over
   */
  DeviceOperators(StageProgram program, BuildTables builds) {
    this(program, builds, () -> Long.MAX_VALUE, false);
  }

  private DeviceOperators(
      StageProgram program, BuildTables builds, LongSupplier share, boolean slices) {
    this.program = program;
    this.builds = builds;
    this.share = share;
    // Other results than groups would be copied to one batch again.
    this.slices = slices && merges();
    this.rowsOut = new long[program.operators().size()];
    this.grouping = program.aggregate() == null ? null : new PartialGrouping(program.aggregate());
  }

  /**
   * Operators over units of a scan. They take a unit in slices if the whole unit would need more
   * device memory than they may take. No room is reserved for this memory.
   *
   * @param builds the build sides of the joins; taken over
   * @param share bytes of the device that the calling thread's operators may take now
   */
  public static DeviceOperators ofUnits(
      StageProgram program, BuildTables builds, LongSupplier share) {
    return new DeviceOperators(program, builds, share, true);
  }

  @Override
  public void prepare() {
    builds.prepare(program);
  }

  @Override
  public boolean isErrorOfQuery(Throwable failure) {
    return builds.isErrorOfQuery(failure);
  }

  @Override
  public Map<Integer, KeyRanges> keyRanges() {
    Map<Integer, KeyRanges> byColumn = new TreeMap<>();
    for (ScannedKey key : ScannedKey.of(program.operators())) {
      KeyRanges ranges = builds.of(key.join()).ranges(key.key());
      if (ranges != null) {
        byColumn.merge(key.column(), ranges, KeyRanges::intersect);
      }
    }
    return byColumn;
  }

  @Override
  public boolean giveNothing() {
    return builds.leaveNothing(program);
  }

  @Override
  public @Nullable DeviceBatch apply(DeviceBatch rows) {
    try (OperatorResults results = new OperatorResults(this::together, merges())) {
      int count = slices ? BatchSlices.countOf(rows, bytesOfRow(rows), share) : 1;
      if (count == 1 || !pushInSlices(rows, count, results)) {
        push(retained(rows), 0, results);
      }
      return results.take();
    }
  }

  /**
   * Applies the operators to slices of a batch. Stops, drops all results and returns false if a
   * slice gives more than half as many groups as it has rows: slices do not help then.
   */
  private boolean pushInSlices(DeviceBatch rows, int count, OperatorResults results) {
    long[] before = rowsOut.clone();
    slices =
        BatchSlices.forEachWhile(
            rows,
            count,
            slice -> {
              long taken = slice.rows();
              long rowsBefore = results.rows();
              push(slice, 0, results);
              return results.rows() - rowsBefore <= taken / 2;
            });
    if (!slices) {
      results.close();
      System.arraycopy(before, 0, rowsOut, 0, before.length);
    }
    return slices;
  }

  private long bytesOfRow(DeviceBatch rows) {
    return OperatorMemory.bytesOfRow(program, rows.bytes() / Math.max(1, rows.rows()));
  }

  /** Takes over rows, and applies the operators from an ordinal on. */
  private void push(DeviceBatch rows, int from, OperatorResults results) {
    DeviceBatch current = rows;
    try {
      for (int at = from; at < program.operators().size(); at++) {
        if (current.rows() == 0) {
          return;
        } else if (program.operators().get(at) instanceof RowOperator.Expand expand) {
          // One projection at a time: the operators above may keep few rows of each.
          for (List<DeviceExpr> projection : expand.projections()) {
            DeviceBatch expanded = projected(projection, current);
            rowsOut[at] += expanded.rows();
            push(expanded, at + 1, results);
          }
          return;
        }
        DeviceBatch next;
        try {
          next = applied(program.operators().get(at), current);
        } catch (BatchSlices.NeededException e) {
          int join = at;
          BatchSlices.forEach(current, e.count(), slice -> push(slice, join, results));
          return;
        }
        current.close();
        current = next;
        rowsOut[at] += next.rows();
      }
      if (current.rows() > 0) {
        results.add(grouping == null ? retained(current) : grouping.group(current));
      }
    } finally {
      current.close();
    }
  }

  private DeviceBatch applied(RowOperator operator, DeviceBatch rows) {
    if (operator instanceof RowOperator.Filter filter) {
      return filtered(filter.condition(), rows);
    } else if (operator instanceof RowOperator.Join join) {
      return new BroadcastProbe(join, builds.of(join)).apply(rows);
    } else if (operator instanceof RowOperator.Top top) {
      return TopRows.of(top, rows);
    } else if (operator instanceof WindowOperator.Whole window) {
      return PartitionWindow.of(window, rows);
    } else if (operator instanceof WindowOperator.Running window) {
      return new RunningWindow(window).of(rows);
    }
    return projected(((RowOperator.Project) operator).columns(), rows);
  }

  /** The values of expressions over a batch; the caller closes them. */
  static DeviceBatch projected(List<DeviceExpr> columns, DeviceBatch rows) {
    try (BatchEvaluator batch = new BatchEvaluator(rows, CommonExpressions.of(columns))) {
      return new DeviceBatch(DeviceBatches.of(columns, batch::evaluate), rows.rows());
    }
  }

  private static DeviceBatch filtered(DeviceExpr condition, DeviceBatch rows) {
    try (ColumnVector mask = ExprEvaluator.evaluate(condition, rows)) {
      return DeviceBatches.filtered(rows, mask);
    }
  }

  private static DeviceBatch retained(DeviceBatch rows) {
    return DeviceBatches.first(rows, rows.width());
  }

  @Override
  public long[] rowsOut() {
    return rowsOut.clone();
  }

  @Override
  public long bytesOfOneUser() {
    return builds.bytesOfOneUser();
  }

  @Override
  public int expansion() {
    return program.expansion();
  }

  @Override
  public boolean merges() {
    return program.top() != null || program.aggregate() != null;
  }

  private DeviceBatch together(List<DeviceBatch> parts) {
    return merges() ? merged(parts) : DeviceBatches.concatenated(parts, program.output());
  }

  @Override
  public DeviceBatch merged(List<DeviceBatch> partials) {
    List<Table> tables = new ArrayList<>();
    try {
      partials.forEach(partial -> tables.add(DeviceBatches.table(partial)));
      try (Table all = Table.concatenate(tables.toArray(Table[]::new));
          DeviceBatch together = DeviceBatches.batch(all, all.getNumberOfColumns())) {
        RowOperator.Top top = program.top();
        return top != null
            ? TopRows.of(top, together)
            : Objects.requireNonNull(grouping).merge(together, partials.size());
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
