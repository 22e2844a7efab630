package io.mooring.benchmarks.report.table;

import io.mooring.benchmarks.stats.Sample;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Locale;

/** Formats of figures for people; {@code -} where there is none. */
public final class Figures {

  private Figures() {}

  public static String seconds(Double value) {
    return value == null ? "-" : format("%.3f", value);
  }

  /** Bytes per second as GB/s (10^9). */
  static String gigabytesPerSecond(double bytesPerSecond) {
    return format("%.2f", bytesPerSecond / 1e9);
  }

  static String interval(Sample sample) {
    return sample.ciLow() == null
        ? "-"
        : format("%.3f", sample.ciLow()) + " to " + format("%.3f", sample.ciHigh());
  }

  static String ratio(Double value) {
    return value == null ? "-" : format("%.2fx", value);
  }

  /** A ratio near 1, with the digits that show how near. */
  public static String exactRatio(double value) {
    return format("%.3f", value);
  }

  static String interval(Double low, Double high) {
    return low == null || high == null ? "-" : exactRatio(low) + " to " + exactRatio(high);
  }

  /** A fraction in percent. */
  static String percent(double fraction) {
    return format("%.1f%%", fraction * 100);
  }

  static String p(Double value) {
    return value == null ? "-" : value < 0.001 ? "< 0.001" : format("%.3f", value);
  }

  /** Operations per second in millions. */
  static String millionsPerSecond(double perSecond) {
    return format(perSecond < 1e5 ? "%.5f" : "%.2f", perSecond / 1e6);
  }

  /** Four significant digits. */
  public static String significant(double value) {
    return new BigDecimal(value).round(new MathContext(4)).stripTrailingZeros().toPlainString();
  }

  /** A number without a fraction. */
  public static String whole(Double value) {
    return value == null ? "-" : format("%.0f", value);
  }

  /** A number without needless digits. */
  static String plain(Double value) {
    if (value == null) {
      return "-";
    }
    return value == Math.rint(value) ? format("%.0f", value) : format("%.2f", value);
  }

  private static String format(String pattern, double value) {
    return String.format(Locale.ROOT, pattern, value);
  }
}
