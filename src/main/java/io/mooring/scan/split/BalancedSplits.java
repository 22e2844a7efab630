package io.mooring.scan.split;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.stream.Stream;

/**
 * Cuts files and packs them into as few tasks as keep every core busy to the end: a task reads
 * ahead within its own files only, and each file costs a decode call whatever its size. Largest
 * first into the emptiest task (Graham, "Bounds on Multiprocessing Timing Anomalies", 1969).
 *
 * @param partitionBytes most bytes that one task reads, except of files that cannot be cut
 * @param openCostBytes what opening a file is counted as
 * @param cores tasks that can run at once
 */
record BalancedSplits(long partitionBytes, long openCostBytes, int cores) {

  /** Tasks for any executor. */
  List<ScanPartition> plan(List<FileSplit> files) {
    return plan(files, new ExecutorRing(List.of()));
  }

  /** Tasks of each executor of a ring, as if it had these files alone. */
  List<ScanPartition> plan(List<FileSplit> files, ExecutorRing ring) {
    long total = files.stream().mapToLong(file -> file.fileLength() + openCostBytes).sum();
    long rounds = Math.max(1, ceilDiv(total, Math.max(1, partitionBytes) * cores));
    int tasks = (int) Math.min(rounds * cores, Integer.MAX_VALUE);
    long share = Math.max(Math.max(1, openCostBytes), ceilDiv(total, tasks));
    List<FileSplit> splits =
        files.stream()
            .flatMap(file -> cut(file, share))
            .sorted(Comparator.comparingLong(FileSplit::length).reversed())
            .toList();
    return ring.isEmpty() ? pack(splits, tasks, "") : packEach(splits, tasks, ring);
  }

  private List<ScanPartition> packEach(List<FileSplit> splits, int tasks, ExecutorRing ring) {
    int each = (int) ceilDiv(tasks, ring.executors());
    List<ScanPartition> all = new ArrayList<>();
    ring.assign(splits, openCostBytes)
        .forEach((executor, some) -> all.addAll(pack(some, each, executor)));
    return all;
  }

  /** Equal splits of a file, none longer than {@code most}. */
  private static Stream<FileSplit> cut(FileSplit file, long most) {
    long count = ceilDiv(file.fileLength(), most);
    return Stream.iterate(0L, i -> i < count, i -> i + 1)
        .map(
            i -> {
              long start = file.fileLength() * i / count;
              return file.withRange(start, file.fileLength() * (i + 1) / count - start);
            });
  }

  /** Packs splits, the largest first. */
  private List<ScanPartition> pack(List<FileSplit> splits, int tasks, String executor) {
    PriorityQueue<Task> emptiest =
        new PriorityQueue<>(
            Comparator.comparingLong(Task::bytes).thenComparingInt(task -> task.number));
    for (int i = 0; i < Math.min(tasks, splits.size()); i++) {
      emptiest.add(new Task(i));
    }
    List<Task> all = new ArrayList<>(emptiest);
    for (FileSplit split : splits) {
      Task task = emptiest.remove();
      task.add(split, openCostBytes);
      emptiest.add(task);
    }
    return all.stream().map(task -> new ScanPartition(List.copyOf(task.splits), executor)).toList();
  }

  private static long ceilDiv(long a, long b) {
    return (a + b - 1) / b;
  }

  private static final class Task {
    private final int number;
    private final List<FileSplit> splits = new ArrayList<>();
    private long bytes;

    Task(int number) {
      this.number = number;
    }

    long bytes() {
      return bytes;
    }

    void add(FileSplit split, long openCost) {
      splits.add(split);
      bytes += split.length() + openCost;
    }
  }
}
