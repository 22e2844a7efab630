package io.mooring.ui;

import io.mooring.metrics.FileFallbacks.FileFallback;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * Tells why parts of one query fell back. Executors report reasons for a query, not for its scans,
 * so the first part that fell back has all of them, and the others refer to it.
 */
final class FallbackReasons {
  private static final int MOST = 10;

  private final Collection<FileFallback> reasons;
  private boolean told;

  FallbackReasons(QueryFallbacks query) {
    this.reasons = query.reasons().values();
  }

  /** The reasons, for the next part that fell back. */
  List<String> next() {
    if (told) {
      return List.of("fell back, as above");
    }
    told = true;
    if (reasons.isEmpty()) {
      return List.of("the executors have not reported the reason yet");
    }
    List<String> lines = new ArrayList<>();
    reasons.stream()
        .limit(MOST)
        .map(it -> it.reason() + " (" + it.splits() + " of such splits, " + it.example() + ")")
        .forEach(lines::add);
    if (reasons.size() > MOST) {
      lines.add("and " + (reasons.size() - MOST) + " more reasons");
    }
    return lines;
  }
}
