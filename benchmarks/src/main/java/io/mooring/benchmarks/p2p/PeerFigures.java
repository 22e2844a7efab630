package io.mooring.benchmarks.p2p;

import io.mooring.benchmarks.report.Summary;
import io.mooring.benchmarks.report.table.Table;
import io.mooring.benchmarks.stats.Sample;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Figures of exchanges, by medians of the same run.
 *
 * @param gpus that took part
 */
record PeerFigures(Summary summary, int gpus) {

  /** Bytes per second from one GPU to its neighbour in the ring, median over the neighbours. */
  Optional<Double> pairRate() {
    List<Double> rates =
        IntStream.range(0, gpus)
            .mapToObj(i -> rate(PeerPlan.simplex(i, (i + 1) % gpus), 2).orElse(null))
            .filter(Objects::nonNull)
            .toList();
    return rates.isEmpty() ? Optional.empty() : Optional.of(Sample.of(rates).median());
  }

  /**
   * All bytes per second of a ring in which everybody sends both ways at once, over N times the
   * pair's: each GPU can send no faster than to one peer, so 1 is the most.
   */
  Optional<Double> exchangeShare() {
    Optional<Double> pair = pairRate();
    return rate(PeerPlan.exchange("ring", PeerPlan.AT_ONCE), gpus)
        .flatMap(all -> pair.map(one -> all / (gpus * one)));
  }

  private Optional<Double> rate(String query, int tasks) {
    return summary.cell(query, PeerRuns.PEER, tasks).map(Summary.Cell::bytesPerSecond);
  }

  /** The overlap of computation and exchange of halos, for each arm. */
  Table halos() {
    List<List<String>> rows =
        List.of(PeerRuns.HOST, PeerRuns.PEER).stream().flatMap(a -> halo(a).stream()).toList();
    return new Table(
        List.of("arm", "compute", "exchange", "in turn", "overlapped", "ideal / overlapped"), rows);
  }

  private Optional<List<String>> halo(String arm) {
    Optional<Double> compute = seconds(arm, "compute");
    Optional<Double> exchange = seconds(arm, "exchange");
    Optional<Double> inTurn = seconds(arm, "in-turn");
    Optional<Double> overlapped = seconds(arm, "overlapped");
    if (compute.isEmpty() || exchange.isEmpty() || inTurn.isEmpty() || overlapped.isEmpty()) {
      return Optional.empty();
    }
    double ideal = Math.max(compute.get(), exchange.get());
    return Optional.of(
        List.of(
            arm,
            figure(compute.get()),
            figure(exchange.get()),
            figure(inTurn.get()),
            figure(overlapped.get()),
            figure(ideal / overlapped.get())));
  }

  private Optional<Double> seconds(String arm, String mode) {
    return summary.cell(PeerRuns.halo(mode), arm, gpus).map(cell -> cell.seconds().median());
  }

  private static String figure(double value) {
    return String.format(Locale.ROOT, "%.4f", value);
  }
}
