package io.mooring.benchmarks.overlap;

import io.mooring.benchmarks.device.DeviceSession;
import io.mooring.benchmarks.process.ProcessException;
import io.mooring.benchmarks.stats.Sample;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.DoubleSupplier;
import java.util.stream.DoubleStream;

/** Finds how much the device has to compute, so that it takes as long as it shall. */
record Calibration(DeviceSession session, OverlapOptions options) {

  private static final int REPETITIONS = 3;
  private static final int REFINEMENTS = 3;

  /** Some amount to begin with: rounds of work, or nanoseconds. */
  private static final long FIRST_ROUNDS = 100;

  private static final long FIRST_NANOS = 100_000;

  /** The amount for each balance. */
  Map<Balance, Long> amounts() {
    double staging = median(() -> seconds("overlap stage " + options.threads()));
    double copying = median(() -> seconds("overlap dma"));
    double none = median(() -> computing(0));
    Map<Balance, Long> all = new EnumMap<>(Balance.class);
    for (Balance balance : Balance.values()) {
      all.put(balance, amount(balance.target(staging, copying), none));
    }
    return all;
  }

  private long amount(double target, double none) {
    long amount = options.load.equals("delay") ? FIRST_NANOS : FIRST_ROUNDS;
    for (int i = 0; i < REFINEMENTS && amount > 0; i++) {
      long tried = amount;
      double seconds = median(() -> computing(tried));
      amount =
          Balance.amount(target, none, tried, seconds)
              .orElseThrow(
                  () ->
                      new ProcessException.Failed(
                          "overlap",
                          "the time to compute does not grow with the work; nothing to balance"));
    }
    return amount;
  }

  private double computing(long amount) {
    return seconds("overlap compute " + options.load + " " + amount);
  }

  private double seconds(String request) {
    return session.ask(request).get("seconds").doubleValue();
  }

  private static double median(DoubleSupplier measured) {
    return Sample.of(DoubleStream.generate(measured).limit(REPETITIONS).boxed().toList()).median();
  }
}
