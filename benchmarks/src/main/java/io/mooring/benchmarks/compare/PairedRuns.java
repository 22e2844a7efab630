package io.mooring.benchmarks.compare;

import io.mooring.benchmarks.report.Run;
import io.mooring.benchmarks.report.Samples;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Detects arms that ran in turns, so that a round, or a process, of both is a pair. */
final class PairedRuns {

  private PairedRuns() {}

  /**
   * True when both have the same rounds or processes, each once, and no run of one began before one
   * of the one before it. Runs without a readable start are in no turns.
   */
  static boolean taken(Samples a, Samples b) {
    List<Integer> numbers = a.numbers();
    if (!numbers.equals(b.numbers()) || numbers.stream().distinct().count() < numbers.size()) {
      return false;
    }
    Instant previous = Instant.MIN;
    for (int i = 0; i < numbers.size(); i++) {
      List<Optional<Instant>> starts =
          Stream.concat(a.groups().get(i).stream(), b.groups().get(i).stream())
              .map(PairedRuns::start)
              .toList();
      Instant last = previous;
      if (!starts.stream().allMatch(start -> start.isPresent() && start.get().isAfter(last))) {
        return false;
      }
      previous = starts.stream().map(Optional::orElseThrow).max(Instant::compareTo).orElseThrow();
    }
    return true;
  }

  private static Optional<Instant> start(Run run) {
    try {
      return Optional.of(Instant.parse(run.startedAt()));
    } catch (DateTimeParseException e) {
      return Optional.empty();
    }
  }
}
