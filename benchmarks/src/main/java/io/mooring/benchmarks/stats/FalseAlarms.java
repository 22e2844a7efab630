package io.mooring.benchmarks.stats;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * Rates at which the tests find a difference where there is none: measurements of one thing are
 * dealt out to two sides at random, again and again. A rate near alpha says that the p values of
 * such measurements can be believed.
 *
 * @param splits how often the measurements are dealt out
 * @param seed of the dealing; the same seed gives the same p values
 */
public record FalseAlarms(int splits, long seed) {

  /** The p values of Welch's test, one for each split into two random halves. */
  public List<Double> welch(List<Double> measurements) {
    Random random = new Random(seed);
    List<Double> deck = new ArrayList<>(measurements);
    int half = deck.size() / 2;
    List<Double> pValues = new ArrayList<>(splits);
    for (int split = 0; split < splits; split++) {
      Collections.shuffle(deck, random);
      pValues.add(p(LogRatio.welch(deck.subList(0, half), deck.subList(half, deck.size()))));
    }
    return pValues;
  }

  /**
   * The p values of the paired test, one for each split: neighbours in time form a pair, and chance
   * decides which of the two goes to which side. An odd measurement at the end is left out.
   */
  public List<Double> paired(List<Double> measurements) {
    Random random = new Random(seed);
    List<Double> pValues = new ArrayList<>(splits);
    for (int split = 0; split < splits; split++) {
      List<Double> a = new ArrayList<>();
      List<Double> b = new ArrayList<>();
      for (int i = 0; i + 1 < measurements.size(); i += 2) {
        boolean turned = random.nextBoolean();
        a.add(measurements.get(turned ? i + 1 : i));
        b.add(measurements.get(turned ? i : i + 1));
      }
      pValues.add(p(LogRatio.paired(a, b)));
    }
    return pValues;
  }

  /** Share of the p values below alpha. */
  public static double rate(List<Double> pValues, double alpha) {
    return pValues.stream().filter(p -> p < alpha).count() / (double) pValues.size();
  }

  /**
   * Share of the splits in which more than {@code allowed} of the queries raise an alarm that is
   * left after Holm's correction.
   *
   * @param pValues of each query the p values of the splits, at least one query
   */
  public static double familyRate(List<List<Double>> pValues, double alpha, int allowed) {
    int splits = pValues.get(0).size();
    long over =
        IntStream.range(0, splits)
            .mapToObj(split -> Holm.adjusted(pValues.stream().map(p -> p.get(split)).toList()))
            .filter(adjusted -> adjusted.stream().filter(p -> p < alpha).count() > allowed)
            .count();
    return over / (double) splits;
  }

  private static double p(Optional<LogRatio> test) {
    return test.map(LogRatio::pValue).orElse(1.0);
  }
}
