package io.mooring.scan.split;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.spark.sql.connector.read.InputPartition;

/** The splits of one task. */
public record ScanPartition(List<FileSplit> splits) implements InputPartition {
  private static final int MOST_HOSTS = 3;

  /** The hosts that store most of the bytes. */
  @Override
  public String[] preferredLocations() {
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
