package io.mooring.scan.split;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Cuts files into splits and packs splits into tasks as Spark's file scans do: splits of at most
 * {@code maxSplitBytes}, largest first, each file counted with what opening it costs.
 */
final class SplitPlanner {
  private final long maxSplitBytes;
  private final long openCostBytes;

  /** Both in bytes; see spark.sql.files.maxPartitionBytes and openCostInBytes. */
  SplitPlanner(
      long maxPartitionBytes, long openCostBytes, int minPartitions, List<FileSplit> files) {
    long total = files.stream().mapToLong(file -> file.fileLength() + openCostBytes).sum();
    long share = total / Math.max(1, minPartitions);
    this.maxSplitBytes = Math.max(1, Math.min(maxPartitionBytes, Math.max(openCostBytes, share)));
    this.openCostBytes = openCostBytes;
  }

  List<ScanPartition> plan(List<FileSplit> files) {
    List<FileSplit> splits = new ArrayList<>();
    for (FileSplit file : files) {
      for (long start = 0; start < file.fileLength(); start += maxSplitBytes) {
        splits.add(file.withRange(start, Math.min(maxSplitBytes, file.fileLength() - start)));
      }
    }
    splits.sort(Comparator.comparingLong(FileSplit::length).reversed());
    return pack(splits);
  }

  private List<ScanPartition> pack(List<FileSplit> splits) {
    List<ScanPartition> partitions = new ArrayList<>();
    List<FileSplit> current = new ArrayList<>();
    long bytes = 0;
    for (FileSplit split : splits) {
      if (bytes + split.length() > maxSplitBytes && !current.isEmpty()) {
        partitions.add(new ScanPartition(List.copyOf(current)));
        current.clear();
        bytes = 0;
      }
      current.add(split);
      bytes += split.length() + openCostBytes;
    }
    if (!current.isEmpty()) {
      partitions.add(new ScanPartition(List.copyOf(current)));
    }
    return partitions;
  }
}
