package io.mooring.benchmarks.stats;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Holm's correction for many tests at once: S. Holm, A Simple Sequentially Rejective Multiple Test
 * Procedure, Scandinavian Journal of Statistics 6 (1979).
 */
public final class Holm {

  private Holm() {}

  /**
   * Adjusts p values and returns them in the same order. When every adjusted p value below alpha
   * counts as a finding, the probability of one or more false findings is at most alpha, however
   * the tests depend on each other.
   */
  public static List<Double> adjusted(List<Double> pValues) {
    List<Integer> ascending =
        IntStream.range(0, pValues.size())
            .boxed()
            .sorted(Comparator.comparing(pValues::get))
            .toList();
    List<Double> adjusted = new ArrayList<>(Collections.nCopies(pValues.size(), 1.0));
    double largest = 0;
    for (int rank = 0; rank < ascending.size(); rank++) {
      int test = ascending.get(rank);
      largest = Math.max(largest, (pValues.size() - rank) * pValues.get(test));
      adjusted.set(test, Math.min(1, largest));
    }
    return List.copyOf(adjusted);
  }
}
