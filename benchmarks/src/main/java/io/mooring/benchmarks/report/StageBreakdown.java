package io.mooring.benchmarks.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The stages of each query, task count and arm, over its measured runs. */
public final class StageBreakdown {

  /** The stages of one query under one arm. */
  public record Cell(String query, int tasks, String arm, StageShares stages) {}

  private record Key(String query, int tasks, String arm) {}

  private StageBreakdown() {}

  /** Cells whose runs have metrics of stages, in the order in which they ran. */
  public static List<Cell> of(List<Run> runs) {
    Map<Key, List<Run>> groups = new LinkedHashMap<>();
    for (Run run : runs) {
      if (!run.warmUp()) {
        Key key = new Key(run.query(), run.tasks(), run.arm());
        groups.computeIfAbsent(key, k -> new ArrayList<>()).add(run);
      }
    }
    List<Cell> cells = new ArrayList<>();
    groups.forEach(
        (key, group) ->
            stages(group)
                .ifPresent(s -> cells.add(new Cell(key.query(), key.tasks(), key.arm(), s))));
    return cells;
  }

  private static Optional<StageShares> stages(List<Run> group) {
    Map<String, Long> sums = new TreeMap<>();
    double seconds = 0;
    for (Run run : group) {
      run.metrics().forEach((name, value) -> sums.merge(name, value, Long::sum));
      seconds += run.seconds();
    }
    for (String number : List.of("ioThreads", "storeThreads", "processors")) {
      sums.computeIfPresent(number, (name, sum) -> sum / group.size());
    }
    return StageShares.of(sums, seconds, group.get(0).tasks());
  }
}
