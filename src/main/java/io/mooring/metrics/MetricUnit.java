package io.mooring.metrics;

import java.util.Locale;

/** The unit of a metric, and how its values are shown to people. */
public enum MetricUnit {
  COUNT("count"),
  BYTES("bytes"),
  NANOSECONDS("ns"),
  MILLISECONDS("ms"),
  /** The most there was of something at a time: not to be added up. */
  PEAK("count"),
  /** The longest time that something took: not to be added up. */
  LONGEST("ns");

  private static final String[] SIZES = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};

  private final String symbol;

  MetricUnit(String symbol) {
    this.symbol = symbol;
  }

  /** The unit of the raw number. */
  public String symbol() {
    return symbol;
  }

  /** Whether several values become the largest of them, not their sum. */
  public boolean isMaximum() {
    return this == PEAK || this == LONGEST;
  }

  /** A number of this unit with two or three digits and the larger unit that fits. */
  public String show(long value) {
    return switch (this) {
      case COUNT, PEAK -> Long.toString(value);
      case BYTES -> bytes(value);
      case NANOSECONDS, LONGEST -> time(value);
      case MILLISECONDS -> time(value * 1_000_000);
    };
  }

  private static String bytes(long value) {
    double shown = value;
    int size = 0;
    while (shown >= 1024 && size < SIZES.length - 1) {
      shown /= 1024;
      size++;
    }
    return number(shown) + " " + SIZES[size];
  }

  private static String time(long nanoseconds) {
    if (nanoseconds < 1_000_000) {
      // Spark's graph of a plan would show a letter beyond ASCII as its escape.
      return number(nanoseconds / 1e3) + " us";
    } else if (nanoseconds < 1_000_000_000) {
      return number(nanoseconds / 1e6) + " ms";
    }
    return number(nanoseconds / 1e9) + " s";
  }

  private static String number(double value) {
    String text = String.format(Locale.ROOT, value < 10 ? "%.1f" : "%.0f", value);
    return text.endsWith(".0") ? text.substring(0, text.length() - 2) : text;
  }
}
