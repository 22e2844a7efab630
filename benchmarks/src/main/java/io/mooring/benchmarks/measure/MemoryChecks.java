package io.mooring.benchmarks.measure;

import io.mooring.benchmarks.report.Check;
import io.mooring.benchmarks.report.Run;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/**
 * Checks of the high-water marks of all runs against the limits that the settings give.
 *
 * @param tasks for the checks' names
 */
public record MemoryChecks(List<Run> runs, List<Integer> tasks) {

  /** A check for each kind of memory. */
  public List<Check> all() {
    return Stream.of("pinned", "pageable", "device").map(this::check).toList();
  }

  private Check check(String kind) {
    String name = "%s memory: high-water mark / its limit, at %s tasks".formatted(kind, tasks);
    OptionalDouble worst =
        runs.stream()
            .filter(run -> run.metrics().getOrDefault(kind + "LimitBytes", 0L) > 0)
            .mapToDouble(
                run ->
                    (double) run.metrics().get(kind + "HighWaterBytes")
                        / run.metrics().get(kind + "LimitBytes"))
            .max();
    return worst.isPresent()
        ? Check.atMost(name, worst.getAsDouble(), 1, "more was taken than the settings allow")
        : Check.skipped(name, "<=", 1, "no run tells: no usable GPU");
  }
}
