package io.mooring.scan.task;

import io.mooring.columnar.TypeSupport;
import io.mooring.gpu.GpuRuntime;
import io.mooring.parquet.footer.UnreadableOnGpuException;
import io.mooring.parquet.source.IdleStreams;
import io.mooring.parquet.unit.ReadUnit;
import io.mooring.parquet.unit.ScanCounters;
import io.mooring.parquet.unit.ScanCounters.Counter;
import io.mooring.scan.fallback.FallbackLog;
import io.mooring.scan.plan.FilePlan;
import io.mooring.scan.plan.FilePlanPrefetch;
import io.mooring.scan.plan.FilePlanner;
import io.mooring.scan.plan.ScanContext;
import io.mooring.scan.plan.ScanUnit.FileUnit;
import io.mooring.scan.split.FileSplit;
import java.util.List;
import java.util.Objects;
import org.apache.spark.sql.types.StructField;

/** Plans what a task does with each of its splits, on the thread of the task. */
public record TaskPlanner(ScanContext context, GpuRuntime gpu, ScanCounters counters) {
  // Batches without columns cost nothing, but their size is an int.
  private static final long MOST_COUNTED_ROWS = 1 << 30;

  /** The work of a task, in order; that of a split that cannot be planned is Spark's. */
  public List<ScanWork> plan(List<FileSplit> all, UnitCoalescer work) {
    List<FileSplit> splits = all.stream().filter(context::mayMatch).toList();
    counters.add(Counter.FILES_PRUNED, all.size() - splits.size());
    FilePlanner planner =
        new FilePlanner(
            context.files(),
            context.settings(),
            context.pruning(),
            context.configuration(),
            counters);
    // Without a GPU no file is opened.
    List<FileSplit> ahead = gpu.usable() ? splits : List.of();
    FilePlanPrefetch plans = new FilePlanPrefetch(planner, ahead, context.configuration());
    boolean planned = false;
    try {
      splits.forEach(split -> plan(split, plans, work));
      planned = true;
      return work.finish();
    } finally {
      plans.giveUp();
      if (!planned) {
        splits.forEach(split -> IdleStreams.close(split.file()));
      }
    }
  }

  private void plan(FileSplit split, FilePlanPrefetch plans, UnitCoalescer work) {
    try {
      checkUsable();
      FilePlan plan = plans.of(split);
      counters.add(Counter.ROW_GROUPS_PRUNED, plan.pruned());
      counters.add(Counter.ROWS_PRUNED, plan.prunedRows());
      add(work, plan);
    } catch (UnreadableOnGpuException e) {
      FallbackLog.file(split.path(), Objects.requireNonNull(e.getMessage()));
      IdleStreams.close(split.file());
      work.add(new ScanWork.Fallback(split));
    }
  }

  private void checkUsable() throws UnreadableOnGpuException {
    if (!gpu.usable()) {
      throw new UnreadableOnGpuException(gpu.reason());
    }
    for (StructField field : context.columns().data().fields()) {
      if (!TypeSupport.supports(field.dataType())) {
        throw new UnreadableOnGpuException(
            "column " + field.name() + " has type " + field.dataType().sql());
      }
    }
  }

  public static void add(UnitCoalescer work, FilePlan plan) {
    boolean first = true;
    if (plan.readsNothing()) {
      IdleStreams.close(plan.split().file());
    }
    if (plan.columns().read().isEmpty()) {
      for (long rows = plan.rows(); rows > 0; rows -= MOST_COUNTED_ROWS) {
        work.add(new ScanWork.CountRows(plan, (int) Math.min(rows, MOST_COUNTED_ROWS), first));
        first = false;
      }
      return;
    }
    for (ReadUnit unit : plan.units()) {
      if (unit.rows() > 0) {
        work.add(new FileUnit(plan, unit, first));
        first = false;
      }
    }
  }
}
