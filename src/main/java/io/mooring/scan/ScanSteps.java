package io.mooring.scan;

import io.mooring.columnar.TypeSupport;
import io.mooring.gpu.GpuRuntime;
import io.mooring.parquet.ReadUnit;
import io.mooring.parquet.UnreadableOnGpuException;
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

  /** Decode a unit on the GPU; the first of its split, or a later one. */
  record Decode(FilePlan plan, ReadUnit unit, boolean first) implements Step {}

  /** Rows without any column of the file; the first of their split, or later ones. */
  record Count(FilePlan plan, int rows, boolean first) implements Step {}

  /** Leave a split to Spark's reader. */
  record Leave(FileSplit split) implements Step {}

  /** The units in the order in which they are decoded. */
  List<ReadUnit> units() {
    return steps.stream()
        .filter(Decode.class::isInstance)
        .map(step -> ((Decode) step).unit())
        .toList();
  }

  static ScanSteps plan(ScanReaderFactory factory, List<FileSplit> splits, GpuRuntime gpu) {
    List<Step> steps = new ArrayList<>();
    FilePlanner planner =
        new FilePlanner(factory.dataColumns(), factory.settings(), factory.hadoop().value());
    for (FileSplit split : splits) {
      try {
        checkUsable(factory, gpu);
        add(steps, planner.plan(split));
      } catch (UnreadableOnGpuException e) {
        FallbackLog.file(split.path(), Objects.requireNonNull(e.getMessage()));
        steps.add(new Leave(split));
      }
    }
    return new ScanSteps(steps);
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

  private static void add(List<Step> steps, FilePlan plan) {
    boolean first = true;
    if (plan.columns().names().isEmpty()) {
      for (long left = plan.rows(); left > 0; left -= MOST_COUNTED_ROWS) {
        steps.add(new Count(plan, (int) Math.min(left, MOST_COUNTED_ROWS), first));
        first = false;
      }
      return;
    }
    for (ReadUnit unit : plan.units()) {
      if (unit.rows() > 0) {
        steps.add(new Decode(plan, unit, first));
        first = false;
      }
    }
  }
}
