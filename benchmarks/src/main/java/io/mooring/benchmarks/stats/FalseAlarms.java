package io.mooring.benchmarks.stats;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/**
 * How often the tests find a difference where there is none: measurements of one thing are dealt
 * out to two sides at random, again and again. A rate near alpha says that the p values of such
 * measurements can be believed.
 *
 * @param alpha below which a p value is an alarm
 * @param splits how often the measurements are dealt out
 * @param seed of the dealing; the same seed gives the same rates
 */
public record FalseAlarms(double alpha, int splits, long seed) {

  /** Share of the splits into two random halves in which Welch's test raises an alarm. */
  public double welch(List<Double> measurements) {
    Random random = new Random(seed);
    List<Double> deck = new ArrayList<>(measurements);
    int half = deck.size() / 2;
    int alarms = 0;
    for (int split = 0; split < splits; split++) {
      Collections.shuffle(deck, random);
      alarms += alarm(LogRatio.welch(deck.subList(0, half), deck.subList(half, deck.size())));
    }
    return alarms / (double) splits;
  }

  /**
   * The same for the paired test: neighbours in time are a pair, and chance says which of them is
   * on which side. An odd measurement at the end is left out.
   */
  public double paired(List<Double> measurements) {
    Random random = new Random(seed);
    int alarms = 0;
    for (int split = 0; split < splits; split++) {
      List<Double> a = new ArrayList<>();
      List<Double> b = new ArrayList<>();
      for (int i = 0; i + 1 < measurements.size(); i += 2) {
        boolean turned = random.nextBoolean();
        a.add(measurements.get(turned ? i + 1 : i));
        b.add(measurements.get(turned ? i : i + 1));
      }
      alarms += alarm(LogRatio.paired(a, b));
    }
    return alarms / (double) splits;
  }

  private int alarm(Optional<LogRatio> test) {
    return test.map(LogRatio::pValue).orElse(1.0) < alpha ? 1 : 0;
  }
}
