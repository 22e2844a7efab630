package io.mooring.stage.task;

import io.mooring.columnar.ColumnShape;
import io.mooring.expr.device.DeviceBatch;
import io.mooring.parquet.unit.ScanCounters;
import io.mooring.scan.output.UnitOutput;
import io.mooring.scan.output.UnitOutput.DecodedUnit;
import io.mooring.scan.output.UnitOutput.FileBatch;
import io.mooring.scan.plan.ScanUnit;
import io.mooring.scan.split.FileSplit;
import io.mooring.scan.task.OutOfDeviceMemory;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.types.DataType;

/**
 * The results of a stage for the units of its scan: rows that leave with their unit, or groups that
 * are held on the device and merged until the task ends.
 */
final class StageOutput implements UnitOutput {
  private final UnitOperators operators;
  private final List<ColumnShape> shapes;
  private final ScanCounters counters;
  private final StageCounters stage;
  private final PartialGroups held;
  private final List<DeviceBatch> pending = new ArrayList<>();
  private boolean merging;
  private long pendingRows;
  private long rows;
  private long groups;

  StageOutput(
      UnitOperators operators, List<DataType> types, ScanCounters counters, StageCounters stage) {
    this.operators = operators;
    this.shapes = types.stream().map(ColumnShape::flat).toList();
    this.counters = counters;
    this.stage = stage;
    this.held = new PartialGroups(operators.stage());
    this.merging = operators.stage().merges();
  }

  @Override
  public List<FileBatch> ofDevice(DecodedUnit unit) {
    long before = stage.rowsScanned();
    DeviceBatch result = operators.apply(unit);
    pendingRows += stage.rowsScanned() - before;
    if (result == null) {
      return List.of();
    } else if (merging) {
      pending.add(result);
      return List.of();
    }
    unit.endTurn().run();
    try (result) {
      return List.of(
          new FileBatch(unit.plan().split(), DownloadedRows.downloaded(result, shapes, counters)));
    }
  }

  @Override
  public void done(ScanUnit unit) {
    rows += pendingRows;
    groups += pending.stream().mapToLong(DeviceBatch::rows).sum();
    if (!pending.isEmpty()) {
      held.add(pending, unit.fallbackSplits());
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
    if (PartialGroups.reduceTooLittle(rows * operators.stage().expansion(), groups)) {
      merging = false;
    }
    boolean leave = atEnd || !merging || held.areLarge();
    boolean merged = !(leave || held.areMany()) || merged();
    return leave || !merged ? taken() : List.of();
  }

  /** Whether there was room on the device to merge the groups; else they may leave unmerged. */
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
      for (DeviceBatch batch : held.batches()) {
        taken.add(new FileBatch(split, DownloadedRows.downloaded(batch, shapes, counters)));
      }
      all = true;
      held.close();
      return taken;
    } finally {
      if (!all) {
        taken.forEach(part -> part.batch().close());
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
