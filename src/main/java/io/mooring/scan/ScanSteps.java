package io.mooring.scan;

import io.mooring.columnar.TypeSupport;
import io.mooring.gpu.GpuRuntime;
import io.mooring.parquet.footer.UnreadableOnGpuException;
import io.mooring.parquet.source.IdleStreams;
import io.mooring.parquet.unit.ReadUnit;
import io.mooring.parquet.unit.ScanCounters;
import io.mooring.parquet.unit.ScanCounters.Counter;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.spark.sql.types.StructField;

/** What a task does, in order. */
record ScanSteps(List<Step> steps) {
  // Batches without columns cost nothing, but their size is an int.
  private static final long MOST_COUNTED_ROWS = 1 << 30;

  /** One thing to do. */
  sealed interface Step {}

  /** Decode a unit on the GPU. */
  record Decode(List<UnitPart> parts, ReadUnit unit) implements Step {}

  /** Look at a unit through the filter's columns, then decode what is left of it. */
  record Look(List<UnitPart> parts, Probe probe) implements Step {
    /** The unit decoded without looking. */
    Decode whole() {
      return new Decode(parts, probe.whole());
    }
  }

  /** Decode a part of a unit for which device memory did not suffice, with the GPU to itself. */
  record Retry(Decode part) implements Step {}

  /** Decode a file that was to be decoded together with others, of which one is damaged. */
  record OneFile(Decode part) implements Step {}

  /** Rows without any column of the file; the first of their split, or later ones. */
  record Count(FilePlan plan, int rows, boolean first) implements Step {}

  /** Leave a split to Spark's reader. */
  record Leave(FileSplit split) implements Step {}

  /** The units in the order in which they are decoded. */
  List<ReadUnit> units() {
    List<ReadUnit> units = new ArrayList<>();
    for (Step step : steps) {
      if (step instanceof Decode decode) {
        units.add(decode.unit());
      } else if (step instanceof Look look) {
        units.add(look.probe().unit());
      }
    }
    return units;
  }

  static ScanSteps plan(
      ScanReaderFactory factory,
      List<FileSplit> splits,
      GpuRuntime gpu,
      UnitCoalescer steps,
      ScanCounters counters) {
    FilePlanner planner =
        new FilePlanner(
            factory.files(),
            factory.settings(),
            factory.pruning(),
            factory.configuration(),
            counters);
    // Without a GPU nothing is looked into.
    List<FileSplit> ahead = gpu.usable() ? splits : List.of();
    PlansAhead plans = new PlansAhead(planner, ahead, factory.configuration());
    for (FileSplit split : splits) {
      try {
        checkUsable(factory, gpu);
        FilePlan plan = plans.of(split);
        counters.add(Counter.ROW_GROUPS_PRUNED, plan.pruned());
        counters.add(Counter.ROWS_PRUNED, plan.prunedRows());
        add(steps, plan);
      } catch (UnreadableOnGpuException e) {
        FallbackLog.file(split.path(), Objects.requireNonNull(e.getMessage()));
        IdleStreams.close(split.file());
        steps.add(new Leave(split));
      }
    }
    plans.giveUp();
    return new ScanSteps(steps.steps());
  }

  private static void checkUsable(ScanReaderFactory factory, GpuRuntime gpu)
      throws UnreadableOnGpuException {
    if (!gpu.usable()) {
      throw new UnreadableOnGpuException(gpu.reason());
    }
    for (StructField field : factory.dataColumns().fields()) {
      if (!TypeSupport.supports(field.dataType())) {
        throw new UnreadableOnGpuException(
            "column " + field.name() + " has type " + field.dataType().sql());
      }
    }
  }

  static void add(UnitCoalescer steps, FilePlan plan) {
    boolean first = true;
    if (plan.units().isEmpty()) {
      IdleStreams.close(plan.split().file());
    }
    if (plan.columns().read().isEmpty()) {
      for (long left = plan.rows(); left > 0; left -= MOST_COUNTED_ROWS) {
        steps.add(new Count(plan, (int) Math.min(left, MOST_COUNTED_ROWS), first));
        first = false;
      }
      return;
    }
    for (ReadUnit unit : plan.units()) {
      if (unit.rows() > 0) {
        steps.add(new UnitPart(plan, unit, first));
        first = false;
      }
    }
  }
}
