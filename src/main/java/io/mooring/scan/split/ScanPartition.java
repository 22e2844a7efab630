package io.mooring.scan.split;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.spark.sql.connector.read.InputPartition;

/**
 * The splits of one task.
 *
 * @param executor that has read them before, as a location of Spark; empty where it is any
 */
public record ScanPartition(List<FileSplit> splits, String executor) implements InputPartition {
  private static final int MOST_HOSTS = 3;

  /** Splits for any executor. */
  public ScanPartition(List<FileSplit> splits) {
    this(splits, "");
  }

  /** The executor, or the hosts that store most of the bytes. */
  @Override
  public String[] preferredLocations() {
    return executor.isEmpty() ? storingHosts() : new String[] {executor};
  }

  private String[] storingHosts() {
    Map<String, Long> bytes =
        splits.stream()
            .flatMap(
                split -> Arrays.stream(split.hosts()).map(host -> Map.entry(host, split.length())))
            .filter(entry -> !entry.getKey().equals("localhost"))
            .collect(
                Collectors.groupingBy(
                    Map.Entry::getKey, Collectors.summingLong(Map.Entry::getValue)));
    return bytes.entrySet().stream()
        .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
        .limit(MOST_HOSTS)
        .map(Map.Entry::getKey)
        .toArray(String[]::new);
  }
}
