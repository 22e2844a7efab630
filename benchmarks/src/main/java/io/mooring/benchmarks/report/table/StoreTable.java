package io.mooring.benchmarks.report.table;

import io.mooring.benchmarks.report.Run;
import io.mooring.benchmarks.stats.Sample;
import io.mooring.benchmarks.store.StoreTraffic;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

/** What runs asked of a store; no rows where there was none. Medians of the runs. */
final class StoreTable {

  private static final double MB = 1e6;

  private record Key(String query, int tasks, String arm) {}

  private StoreTable() {}

  static Table of(List<Run> runs) {
    Map<Key, List<Run>> groups = new LinkedHashMap<>();
    runs.stream()
        .filter(run -> !run.warmUp() && run.metrics().containsKey(StoreTraffic.REQUESTS))
        .forEach(
            run ->
                groups
                    .computeIfAbsent(
                        new Key(run.query(), run.tasks(), run.arm()), key -> new ArrayList<>())
                    .add(run));
    List<List<String>> rows = new ArrayList<>();
    groups.forEach((key, group) -> rows.add(row(key, group)));
    return new Table(
        List.of(
            "query",
            "tasks",
            "arm",
            "requests",
            "MB read",
            "MB of files",
            "MB/s read",
            "reads at a time, most",
            "reads at a time, mean"),
        rows);
  }

  private static List<String> row(Key key, List<Run> runs) {
    return List.of(
        key.query(),
        Integer.toString(key.tasks()),
        key.arm(),
        median(runs, run -> metric(run, StoreTraffic.REQUESTS)),
        median(runs, run -> metric(run, StoreTraffic.BYTES) / MB),
        median(runs, run -> run.bytes() / MB),
        median(runs, run -> metric(run, StoreTraffic.BYTES) / MB / run.seconds()),
        median(runs, run -> metric(run, StoreTraffic.MOST_AT_ONCE)),
        median(runs, StoreTable::meanAtOnce));
  }

  private static double meanAtOnce(Run run) {
    double nanos = metric(run, StoreTraffic.IN_PROGRESS_NANOS);
    return nanos / TimeUnit.SECONDS.toNanos(1) / run.seconds();
  }

  private static double metric(Run run, String name) {
    return run.metrics().getOrDefault(name, 0L);
  }

  private static String median(List<Run> runs, ToDoubleFunction<Run> figure) {
    double median = Sample.of(runs.stream().map(figure::applyAsDouble).toList()).median();
    return Figures.significant(median);
  }
}
