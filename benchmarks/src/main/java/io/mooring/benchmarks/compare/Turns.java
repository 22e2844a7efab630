package io.mooring.benchmarks.compare;

import io.mooring.benchmarks.report.Run;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Whether two arms ran in turns, round by round, so that a round of both is a pair. */
final class Turns {

  private Turns() {}

  /** The runs by round. */
  static List<Run> sorted(List<Run> runs) {
    return runs.stream().sorted(Comparator.comparingInt(Run::round)).toList();
  }

  /**
   * True when both have the same rounds, each once, and no run of a round began before one of the
   * round before it. Runs without a readable start are in no turns.
   */
  static boolean taken(List<Run> a, List<Run> b) {
    List<Run> first = sorted(a);
    List<Run> second = sorted(b);
    if (!rounds(first).equals(rounds(second))
        || rounds(first).stream().distinct().count() < a.size()) {
      return false;
    }
    Instant previous = Instant.MIN;
    for (int i = 0; i < first.size(); i++) {
      Optional<Instant> x = start(first.get(i));
      Optional<Instant> y = start(second.get(i));
      if (x.isEmpty() || y.isEmpty() || !x.get().isAfter(previous) || !y.get().isAfter(previous)) {
        return false;
      }
      previous = x.get().isAfter(y.get()) ? x.get() : y.get();
    }
    return true;
  }

  private static List<Integer> rounds(List<Run> runs) {
    return runs.stream().map(Run::round).toList();
  }

  private static Optional<Instant> start(Run run) {
    try {
      return Optional.of(Instant.parse(run.startedAt()));
    } catch (DateTimeParseException e) {
      return Optional.empty();
    }
  }
}
