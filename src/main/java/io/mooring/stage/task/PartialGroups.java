package io.mooring.stage.task;

import io.mooring.expr.device.DeviceBatch;
import io.mooring.scan.split.FileSplit;
import java.util.ArrayList;
import java.util.List;

/**
 * Groups of the units that a task has decoded so far, on the device, and the splits of these units.
 * Belongs to one thread.
 */
final class PartialGroups implements AutoCloseable {
  // Merging costs a pass over all groups: not for every unit.
  private static final int MOST_BATCHES = 8;
  // Admission does not count these bytes: the groups of all tasks share what it leaves free.
  private static final long MOST_BYTES = 64L << 20;
  private static final int LEAST_ROWS_TO_JUDGE = 10_000;

  private final StageOperators operators;
  private final List<DeviceBatch> batches = new ArrayList<>();
  private final List<FileSplit> splits = new ArrayList<>();

  PartialGroups(StageOperators operators) {
    this.operators = operators;
  }

  /** Takes over the groups of a unit. */
  void add(List<DeviceBatch> groups, List<FileSplit> ofSplits) {
    batches.addAll(groups);
    splits.addAll(ofSplits);
  }

  boolean isEmpty() {
    return batches.isEmpty();
  }

  /** Whether there is something to merge, and enough of it. */
  boolean areMany() {
    return batches.size() >= MOST_BATCHES || (batches.size() > 1 && areLarge());
  }

  /** Whether they take more of the device than groups that help. */
  boolean areLarge() {
    return bytes() > MOST_BYTES;
  }

  private long bytes() {
    return batches.stream().mapToLong(DeviceBatch::bytes).sum();
  }

  /** Whether so many groups of so many rows are too many to merge them. */
  static boolean reduceTooLittle(long rows, long groups) {
    return rows >= LEAST_ROWS_TO_JUDGE && groups > rows / 2;
  }

  /** Merges equal groups; the groups that are held stay unchanged when that fails. */
  void merge() {
    if (batches.size() > 1) {
      DeviceBatch merged = operators.merged(batches);
      batches.forEach(DeviceBatch::close);
      batches.clear();
      batches.add(merged);
    }
  }

  /** The groups, which stay held. */
  List<DeviceBatch> batches() {
    return List.copyOf(batches);
  }

  /** The splits whose rows are in the groups. */
  List<FileSplit> splits() {
    return List.copyOf(splits);
  }

  /** Lets everything go. */
  @Override
  public void close() {
    batches.forEach(DeviceBatch::close);
    batches.clear();
    splits.clear();
  }
}
