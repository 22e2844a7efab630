package io.mooring.benchmarks.scan;

import io.mooring.benchmarks.report.Run;
import io.mooring.benchmarks.report.Samples;
import io.mooring.benchmarks.stats.Sample;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.apache.commons.statistics.distribution.TDistribution;

/**
 * The smallest pool that costs nothing on what was measured. Each smaller pool is held against the
 * largest by the time of all queries of a round, or where there were several processes, by the mean
 * of the rounds of a process: it costs nothing when, with 95 % confidence, it is less than 2 %
 * slower (the one-sided bound of Student's t on the logarithm of the ratios).
 *
 * @param reason in a sentence
 * @param setting to paste; empty when nothing can be advised
 */
record Advice(String reason, Optional<String> setting) {

  private static final double MARGIN = 1.02;
  private static final double CONFIDENCE = 0.95;
  private static final int LEAST = 3;

  private record Step(int tasks, int process, int round) {}

  /** A pool's size and how it did; times are those of all queries of a step together. */
  private record Pool(String size, long bytes, List<Run> runs, Map<Step, Double> times) {}

  /** The confidence bounds of a ratio of times: 1.03 is 3 % slower. */
  private record Bounds(double low, double high) {}

  /** The advice of these runs; empty when they used no GPU, or no pool was among the arms. */
  static Optional<Advice> of(List<Run> runs, List<Arm> arms) {
    List<Pool> pools =
        arms.stream()
            .filter(arm -> arm.own().isEmpty() && arm.name().indexOf('#') < 0)
            .filter(arm -> arm.hasPool() || arm.name().equals(Arm.BASE))
            .map(arm -> pool(arm, runs))
            .filter(pool -> !pool.times().isEmpty())
            .sorted(Comparator.comparingLong(Pool::bytes))
            .toList();
    if (pools.isEmpty() || pools.get(pools.size() - 1).bytes() == 0) {
      return Optional.empty();
    }
    return Optional.of(pools.size() == 1 ? onlyOne() : among(pools));
  }

  private static Pool pool(Arm arm, List<Run> runs) {
    List<Run> mine =
        runs.stream()
            .filter(r -> !r.warmUp() && r.arm().equals(arm.name()) && r.engine().equals("gpu"))
            .toList();
    Map<Step, Double> times = new HashMap<>();
    mine.forEach(
        run ->
            times.merge(
                new Step(run.tasks(), run.process(), run.round()), run.seconds(), Double::sum));
    long bytes =
        mine.stream()
            .mapToLong(run -> run.metrics().getOrDefault("pinnedLimitBytes", 0L))
            .max()
            .orElse(0);
    return new Pool(arm.conf().getOrDefault(Arm.POOL_SIZE, "auto"), bytes, mine, times);
  }

  private static Advice onlyOne() {
    return new Advice(
        "one pool size tells nothing of others; compare some with --pool-size 512m,1g,2g,4g",
        Optional.empty());
  }

  private static Advice among(List<Pool> pools) {
    Pool largest = pools.get(pools.size() - 1);
    String reason = "";
    for (Pool pool : pools.subList(0, pools.size() - 1)) {
      Optional<Bounds> bounds = bounds(pool, largest);
      if (bounds.isEmpty()) {
        return new Advice(
            "fewer than "
                + LEAST
                + " rounds or processes tell nothing; raise --rounds or --processes",
            Optional.empty());
      } else if (bounds.get().high() <= MARGIN) {
        return new Advice(smallest(pool, largest, bounds.get()), setting(pool));
      }
      reason = needed(largest, pool.size(), bounds.get());
    }
    return new Advice(reason, setting(largest));
  }

  private static Optional<Bounds> bounds(Pool pool, Pool largest) {
    List<Double> ratios = ratios(pool, largest);
    if (ratios.size() < LEAST) {
      return Optional.empty();
    }
    Sample sample = Sample.of(ratios);
    double t = TDistribution.of(ratios.size() - 1.0).inverseSurvivalProbability(1 - CONFIDENCE);
    double reach = t * sample.sd() / Math.sqrt(ratios.size());
    return Optional.of(
        new Bounds(Math.exp(sample.mean() - reach), Math.exp(sample.mean() + reach)));
  }

  /** Logarithms of the ratios of their times, one for each round or process. */
  private static List<Double> ratios(Pool pool, Pool largest) {
    boolean rounds = Samples.unit(pool.runs(), largest.runs()) == Samples.Unit.RUN;
    Map<Step, List<Double>> samples = new HashMap<>();
    pool.times()
        .forEach(
            (step, seconds) -> {
              Double other = largest.times().get(step);
              if (other != null) {
                Step sample = new Step(step.tasks(), step.process(), rounds ? step.round() : 0);
                samples
                    .computeIfAbsent(sample, s -> new ArrayList<>())
                    .add(Math.log(seconds / other));
              }
            });
    return samples.values().stream().map(logs -> Sample.of(logs).mean()).toList();
  }

  private static String smallest(Pool pool, Pool largest, Bounds bounds) {
    return String.format(
        Locale.ROOT,
        "a pool of %s costs nothing here: %+.1f %% at most against %s, with 95 %% confidence",
        pool.size(),
        percent(bounds.high()),
        largest.size());
  }

  private static String needed(Pool largest, String next, Bounds bounds) {
    String what =
        bounds.low() > 1 ? "costs time" : "could not be told from it within 2 %, more rounds may";
    return String.format(
        Locale.ROOT,
        "the largest pool, %s: the next smaller, %s, %s (%+.1f to %+.1f %%)",
        largest.size(),
        next,
        what,
        percent(bounds.low()),
        percent(bounds.high()));
  }

  private static double percent(double ratio) {
    return 100 * (ratio - 1);
  }

  private static Optional<String> setting(Pool pool) {
    return Optional.of(Arm.POOL_SIZE + "=" + pool.size());
  }

  /** The text for the report's notes. */
  String note() {
    return "Advice: " + reason + setting.map(s -> ": " + s).orElse("");
  }
}
