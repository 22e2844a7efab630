package io.mooring.scan.task;

import io.mooring.parquet.read.UnitPipeline;
import io.mooring.parquet.unit.ReadUnit;
import io.mooring.parquet.unit.UnitPlanner;
import io.mooring.scan.plan.ScanUnit;
import io.mooring.scan.plan.ScanUnit.FileUnit;
import io.mooring.scan.split.FileSplit;
import io.mooring.scan.task.ScanWork.Attempt;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The work that a task has still to do, in order. What replaces failed work comes next. Belongs to
 * the thread of its task.
 */
final class WorkQueue {
  // Enough to keep a GPU busy. Decoding takes three times as much beside the encoded bytes, which
  // has to fit where the whole row group did not.
  private static final long SMALL_CHUNK_BYTES = 64L << 20;

  private final Deque<ScanWork> queue;

  WorkQueue(List<ScanWork> planned) {
    this.queue = new ArrayDeque<>(planned);
  }

  /** Takes what is next; null when all is done. */
  @Nullable ScanWork poll() {
    return queue.poll();
  }

  void clear() {
    queue.clear();
  }

  /** Has units that were not begun decoded with all their columns at once. */
  void stopLateMaterialization(UnitPipeline pipeline) {
    List<ScanWork> remaining = queue.stream().map(work -> atOnce(work, pipeline)).toList();
    queue.clear();
    queue.addAll(remaining);
  }

  private static ScanWork atOnce(ScanWork work, UnitPipeline pipeline) {
    return work instanceof ScanWork.DecodeLate late
            && pipeline.exchange(late.late().unit(), late.late().whole())
        ? late.atOnce()
        : work;
  }

  /** Puts the halves of a unit next; false when it has only one row group. */
  boolean halve(ScanUnit unit, long mergeDistance) {
    List<ReadUnit> halves = UnitPlanner.halves(unit.unit(), mergeDistance);
    if (halves.isEmpty()) {
      return false;
    }
    // The halves keep the unit's chunk size: decoded as a whole, a half could need more memory than
    // was refused.
    long bytes = unit.unit().outputChunkBytes();
    ReadUnit first = halves.get(0).chunkedBeyond(bytes);
    ReadUnit second = halves.get(1).chunkedBeyond(bytes);
    List<FileUnit> later = unit.files().stream().map(FileUnit::later).toList();
    queue.addFirst(new ScanWork.Decode(new ScanUnit(later, second), Attempt.ALONE));
    queue.addFirst(new ScanWork.Decode(unit.with(first), Attempt.ALONE));
    return true;
  }

  /** Puts a unit next, in small chunks; false when it cannot be chunked, or was already. */
  boolean chunk(ScanUnit unit) {
    if (unit.unit().outputChunkBytes() <= SMALL_CHUNK_BYTES || !unit.unit().canBeChunked()) {
      return false;
    }
    ReadUnit chunked = unit.unit().chunked(SMALL_CHUNK_BYTES);
    queue.addFirst(new ScanWork.Decode(unit.with(chunked), Attempt.ALONE));
    return true;
  }

  /** Puts the files of a unit next, one by one; false unless it is all of several files. */
  boolean oneByOne(ScanUnit unit) {
    List<FileUnit> files = unit.files();
    int rowGroups = files.stream().mapToInt(file -> file.unit().rowGroups().length).sum();
    if (files.size() < 2 || unit.unit().rowGroups().length != rowGroups) {
      return false;
    }
    for (int i = files.size() - 1; i >= 0; i--) {
      FileUnit file = files.get(i);
      queue.addFirst(
          new ScanWork.Decode(new ScanUnit(List.of(file), file.unit()), Attempt.UNPLANNED));
    }
    return true;
  }

  /** Puts a unit next, for Spark's reader. */
  void fallBack(ScanUnit unit) {
    fallBack(unit.fallbackSplits());
  }

  /** Puts splits next, for Spark's reader. */
  void fallBack(List<FileSplit> splits) {
    for (int i = splits.size() - 1; i >= 0; i--) {
      queue.addFirst(new ScanWork.Fallback(splits.get(i)));
    }
  }
}
