package io.mooring.scan.task;

import ai.rapids.cudf.Table;
import io.mooring.columnar.WideningCasts;
import io.mooring.parquet.read.UnitPipeline;
import io.mooring.parquet.read.UnitTables;
import io.mooring.parquet.unit.ReadUnit;
import io.mooring.parquet.unit.ScanCounters;
import io.mooring.scan.output.LiveRows;
import io.mooring.scan.output.RowIndexes;
import io.mooring.scan.output.UnitOutput;
import io.mooring.scan.output.UnitOutput.DecodedUnit;
import io.mooring.scan.output.UnitOutput.FileBatch;
import io.mooring.scan.plan.ScanContext;
import io.mooring.scan.plan.ScanUnit;
import io.mooring.scan.task.ScanWork.Attempt;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Decodes the units of a task on the GPU and hands their rows to the output, after casts and
 * without deleted rows. Belongs to the thread of its task.
 */
record UnitDecoder(
    ScanContext context,
    UnitPipeline pipeline,
    WorkQueue queue,
    UnitOutput output,
    ScanCounters counters) {
  /** The batches of all rows of a unit or, when some cannot be had, of none. */
  List<FileBatch> decode(ScanWork.Decode work) throws IOException, InterruptedException {
    return decode(work.unit(), work.unit(), work.attempt());
  }

  /** The batches of all rows of a unit that pass, after late materialization. */
  List<FileBatch> decode(ScanWork.DecodeLate work) throws IOException, InterruptedException {
    LateMaterialization late = work.late();
    ReadUnit unit = survivors(late);
    late.count(Optional.ofNullable(unit), counters);
    if (!SelectivityHistory.shared().worthwhile(late.key())) {
      queue.stopLateMaterialization(pipeline);
    }
    return unit == null
        ? List.of()
        : decode(work.unit(), work.unit().with(unit), Attempt.UNPLANNED);
  }

  /** Decodes the filter's columns; null when no row passes. */
  private @Nullable ReadUnit survivors(LateMaterialization late)
      throws IOException, InterruptedException {
    PageSkipping skipping = PageSkipping.of(context, counters);
    try (UnitTables tables = pipeline.next(late.unit());
        Table table = Objects.requireNonNull(tables.next())) {
      return late.survivors(context, table, skipping, tables::endTurn);
    }
  }

  /**
   * @param planned the unit
   * @param read what is decoded of it
   */
  private List<FileBatch> decode(ScanUnit planned, ScanUnit read, Attempt attempt)
      throws IOException, InterruptedException {
    List<FileBatch> batches = new ArrayList<>();
    boolean all = false;
    try {
      decode(read, attempt, batches);
      all = true;
    } finally {
      if (!all) {
        batches.forEach(it -> it.batch().close());
        output.drop();
      }
    }
    output.give(batches);
    output.done(planned);
    return batches;
  }

  private void decode(ScanUnit read, Attempt attempt, List<FileBatch> batches)
      throws IOException, InterruptedException {
    LiveRows live = LiveRows.of(read);
    RowIndexes indexes = RowIndexes.of(read);
    long rows = 0;
    try (UnitTables tables = tables(read.unit(), attempt)) {
      for (Table next = tables.next(); next != null; next = tables.next()) {
        try (Table table = next) {
          long first = rows;
          batches.addAll(
              indexes.<List<FileBatch>>use(
                  table, first, indexed -> batches(read, indexed, live, first, tables::endTurn)));
          rows += table.getRowCount();
        }
      }
    }
    indexes.checkAll(rows);
  }

  private UnitTables tables(ReadUnit unit, Attempt attempt)
      throws IOException, InterruptedException {
    return switch (attempt) {
      case PLANNED -> pipeline.next(unit);
      case UNPLANNED -> pipeline.insert(unit);
      case ALONE -> pipeline.insertAlone(unit);
    };
  }

  private List<FileBatch> batches(
      ScanUnit unit, Table table, LiveRows live, long first, Runnable endTurn) {
    return WideningCasts.use(
        table,
        unit.plan().columns().shapes(),
        wide -> live.use(DecodedUnit.of(unit, wide, endTurn), first, output::ofDevice));
  }
}
