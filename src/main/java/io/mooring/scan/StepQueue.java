package io.mooring.scan;

import io.mooring.parquet.read.UnitPipeline;
import io.mooring.parquet.unit.ReadUnit;
import io.mooring.parquet.unit.UnitPlanner;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The steps that a task has still to do, and what becomes of them when one does not succeed. */
final class StepQueue {
  // Enough to keep a GPU busy, and to be had on one that is nearly full.
  private static final long SMALL_CHUNK_BYTES = 256L << 20;

  private final Deque<ScanSteps.Step> steps;

  StepQueue(ScanSteps planned) {
    this.steps = new ArrayDeque<>(planned.steps());
  }

  /** Takes the next step; null when all is done. */
  ScanSteps.@Nullable Step poll() {
    return steps.poll();
  }

  void clear() {
    steps.clear();
  }

  /** What has not been started is decoded without a first look. */
  void stopLooking(UnitPipeline pipeline) {
    List<ScanSteps.Step> left =
        steps.stream()
            .map(
                step ->
                    step instanceof ScanSteps.Look look
                            && pipeline.exchange(look.probe().unit(), look.probe().whole())
                        ? look.whole()
                        : step)
            .toList();
    steps.clear();
    steps.addAll(left);
  }

  /** The halves of a unit come next; false when it has but one row group. */
  boolean halve(ScanSteps.Decode step, long mergeDistance) {
    List<ReadUnit> halves = UnitPlanner.halves(step.unit(), mergeDistance);
    if (halves.isEmpty()) {
      return false;
    }
    // In chunks as before: all at once they could need more than what was refused.
    long bytes = step.unit().outputChunkBytes();
    ReadUnit first = halves.get(0).chunkedBeyond(bytes);
    ReadUnit second = halves.get(1).chunkedBeyond(bytes);
    steps.addFirst(new ScanSteps.Retry(new ScanSteps.Decode(later(step.parts()), second)));
    steps.addFirst(new ScanSteps.Retry(new ScanSteps.Decode(step.parts(), first)));
    return true;
  }

  /** A unit comes next in small chunks; false when it cannot, or did already. */
  boolean chunk(ScanSteps.Decode step) {
    if (step.unit().outputChunkBytes() <= SMALL_CHUNK_BYTES || !step.unit().canBeChunked()) {
      return false;
    }
    ReadUnit chunked = step.unit().chunked(SMALL_CHUNK_BYTES);
    steps.addFirst(new ScanSteps.Retry(new ScanSteps.Decode(step.parts(), chunked)));
    return true;
  }

  /** The files of a unit come next, one by one; false when it is not all of several. */
  boolean oneByOne(ScanSteps.Decode step) {
    List<UnitPart> parts = step.parts();
    int rowGroups = parts.stream().mapToInt(part -> part.unit().rowGroups().length).sum();
    if (parts.size() < 2 || step.unit().rowGroups().length != rowGroups) {
      return false;
    }
    for (int i = parts.size() - 1; i >= 0; i--) {
      UnitPart part = parts.get(i);
      steps.addFirst(new ScanSteps.OneFile(new ScanSteps.Decode(List.of(part), part.unit())));
    }
    return true;
  }

  private static List<UnitPart> later(List<UnitPart> parts) {
    return parts.stream().map(part -> new UnitPart(part.plan(), part.unit(), false)).toList();
  }

  /** Spark's reader reads the unit next. */
  void leave(ScanSteps.Decode step) {
    leave(LeftStretches.of(step));
  }

  /** Spark's reader reads stretches of files next. */
  void leave(List<FileSplit> left) {
    for (int i = left.size() - 1; i >= 0; i--) {
      steps.addFirst(new ScanSteps.Leave(left.get(i)));
    }
  }
}
