package io.mooring.benchmarks.transfer;

import io.mooring.benchmarks.cli.ByteSize;
import io.mooring.benchmarks.report.Check;
import io.mooring.benchmarks.report.Summary;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The targets of {@code transfer}.
 *
 * @param sizes that were measured
 * @param kinds of memory that were asked for
 * @param skipped why nothing was measured
 */
record TransferChecks(
    Summary summary, List<ByteSize> sizes, List<String> kinds, Optional<String> skipped) {

  private static final double OF_PLAIN_LOOP = 0.98;

  /** The size from which on the start of a copy does not matter. */
  private static final long LARGE = 64L << 20;

  private static final List<String> PINNED =
      List.of(Transfers.HOST_ALLOC, Transfers.REGISTERED, Transfers.MOORING);

  /** A check for each kind of pinned memory. */
  List<Check> all() {
    return PINNED.stream().filter(kinds::contains).map(this::ofPlainLoop).toList();
  }

  private Check ofPlainLoop(String kind) {
    String name =
        "rate of %s / plain loop, the least of H2D and D2H from 64 MiB on".formatted(kind);
    if (skipped.isPresent()) {
      return Check.skipped(name, ">=", OF_PLAIN_LOOP, skipped.get());
    }
    List<Double> ratios = new ArrayList<>();
    for (ByteSize size : large()) {
      for (String way : List.of("H2D", "D2H")) {
        ratio(Transfers.query(way, size), kind).ifPresent(ratios::add);
      }
    }
    return ratios.stream()
        .min(Double::compare)
        .map(least -> Check.atLeast(name, least, OF_PLAIN_LOOP))
        .orElseGet(() -> Check.skipped(name, ">=", OF_PLAIN_LOOP, "not measured"));
  }

  private List<ByteSize> large() {
    return sizes.stream().filter(size -> size.bytes() >= LARGE).toList();
  }

  private Optional<Double> ratio(String query, String kind) {
    return summary
        .cell(query, kind, 1)
        .flatMap(
            mine ->
                summary
                    .cell(query, Transfers.PLAIN_LOOP, 1)
                    .map(plain -> mine.bytesPerSecond() / plain.bytesPerSecond()));
  }
}
