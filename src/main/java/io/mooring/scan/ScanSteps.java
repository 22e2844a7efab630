package io.mooring.scan;

import io.mooring.gpu.GpuRuntime;
import io.mooring.parquet.ReadUnit;
import io.mooring.parquet.ScanCounters;
import io.mooring.parquet.ScanCounters.Counter;
import io.mooring.parquet.UnreadableOnGpuException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.spark.sql.types.StructField;

/** What a task does, in order. */
record ScanSteps(List<Step> steps) {
  /** One thing to do. */
  sealed interface Step {}

  /** Decode a unit on the GPU. */
  record Decode(FilePlan plan, ReadUnit unit) implements Step {}

  /** Rows without any column of the file. */
  record Count(FilePlan plan) implements Step {}

  /** Leave a split to Spark's reader. */
  record Leave(FileSplit split) implements Step {}

  /** The units in the order in which they are decoded. */
  List<ReadUnit> units() {
    return steps.stream()
        .filter(Decode.class::isInstance)
        .map(step -> ((Decode) step).unit())
        .toList();
  }

  static ScanSteps plan(
      ScanReaderFactory factory, List<FileSplit> splits, GpuRuntime gpu, ScanCounters counters) {
    List<Step> steps = new ArrayList<>();
    FilePlanner planner =
        new FilePlanner(factory.dataColumns(), factory.settings(), factory.hadoop().value());
    for (FileSplit split : splits) {
      try {
        checkUsable(factory, gpu);
        add(steps, planner.plan(split));
        counters.add(Counter.GPU_FILES, 1);
      } catch (UnreadableOnGpuException e) {
        FallbackLog.file(split.path(), Objects.requireNonNull(e.getMessage()));
        counters.add(Counter.CPU_FILES, 1);
        steps.add(new Leave(split));
      }
    }
    return new ScanSteps(steps);
  }

  private static void checkUsable(ScanReaderFactory factory, GpuRuntime gpu)
      throws UnreadableOnGpuException {
    if (!gpu.usable()) {
      throw new UnreadableOnGpuException(Objects.requireNonNull(gpu.reason()));
    }
    for (StructField field : factory.dataColumns().fields()) {
      if (!io.mooring.columnar.TypeSupport.supports(field.dataType())) {
        throw new UnreadableOnGpuException(
            "column " + field.name() + " has type " + field.dataType().sql());
      }
    }
  }

  private static void add(List<Step> steps, FilePlan plan) {
    if (plan.decodedTypes().isEmpty()) {
      if (plan.rows() > 0) {
        steps.add(new Count(plan));
      }
      return;
    }
    plan.units().stream()
        .filter(unit -> unit.rows() > 0)
        .forEach(unit -> steps.add(new Decode(plan, unit)));
  }
}
