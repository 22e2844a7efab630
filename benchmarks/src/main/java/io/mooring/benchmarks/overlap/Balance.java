package io.mooring.benchmarks.overlap;

import java.util.Optional;

/** The load of the device, relative to the slower of staging and copying. */
enum Balance {
  BALANCED("balanced", 1),
  COMPUTE_HEAVY("compute-heavy", 3),
  COPY_HEAVY("copy-heavy", 1.0 / 3);

  private final String text;
  private final double factor;

  Balance(String text, double factor) {
    this.text = text;
    this.factor = factor;
  }

  String text() {
    return text;
  }

  /** Seconds that computing shall take. */
  double target(double staging, double copying) {
    return factor * Math.max(staging, copying);
  }

  /**
   * Corrects an amount of work by a measurement. Assumes a time that grows linearly with the
   * amount, above the fixed cost of launches and memory accesses.
   *
   * @param target seconds that the work shall take
   * @param none seconds at amount 0
   * @param amount measured amount, in rounds or nanoseconds
   * @param seconds at {@code amount}
   * @return empty when the time did not grow with the amount
   */
  static Optional<Long> amount(double target, double none, long amount, double seconds) {
    if (amount <= 0 || !(seconds > none)) {
      return Optional.empty();
    }
    double each = (seconds - none) / amount;
    return Optional.of(Math.max(0, Math.round((target - none) / each)));
  }
}
