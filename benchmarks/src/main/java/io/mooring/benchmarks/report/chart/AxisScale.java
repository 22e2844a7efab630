package io.mooring.benchmarks.report.chart;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Positions of values on an axis. Ticks are 1, 2 or 5 times a power of ten: P. Heckbert, Nice
 * Numbers for Graph Labels, Graphics Gems (1990).
 *
 * @param low value at the start, above 0 where logarithmic
 * @param high value at the end, above low
 */
record AxisScale(double low, double high, boolean logarithmic) {

  private static final int TICKS = 5;
  private static final double[] NICE = {1, 2, 5, 10};

  /** An axis around these values, extended to whole ticks, and to 0 where that is asked for. */
  static AxisScale around(List<Double> values, boolean fromZero, boolean logarithmic) {
    double low = values.stream().mapToDouble(v -> v).min().orElse(0);
    double high = values.stream().mapToDouble(v -> v).max().orElse(1);
    if (logarithmic && low > 0) {
      double wider = low == high ? 2 : 1;
      return new AxisScale(below(low / wider), -below(-high * wider), true);
    }
    low = fromZero ? Math.min(0, low) : low;
    high = low == high ? low + 1 : high;
    double step = step(high - low);
    return new AxisScale(Math.floor(low / step) * step, Math.ceil(high / step) * step, false);
  }

  /** The share of the axis before a value. */
  double at(double value) {
    return logarithmic
        ? Math.log(value / low) / Math.log(high / low)
        : (value - low) / (high - low);
  }

  /** Values to be written on the axis, ascending. */
  List<Double> ticks() {
    List<Double> ticks = new ArrayList<>();
    if (logarithmic) {
      int decades = (int) Math.ceil(Math.log10(high / low));
      for (int power = (int) Math.floor(Math.log10(low)); ticks.size() < 40; power++) {
        for (double nice : decades > 3 ? new double[] {1} : new double[] {1, 2, 5}) {
          ticks.add(nice * Math.pow(10, power));
        }
      }
    } else {
      double step = step(high - low);
      for (double tick = low; ticks.size() < 4 * TICKS; tick += step) {
        ticks.add(tick);
      }
    }
    double slack = 1e-9 * (high - low);
    ticks.removeIf(tick -> tick < low * (1 - 1e-9) - slack || tick > high * (1 + 1e-9) + slack);
    return ticks;
  }

  /** A tick as text. */
  static String text(double tick) {
    if (Math.abs(tick) < 1e-12) {
      return "0";
    }
    if (Math.abs(tick) >= 1e5 || Math.abs(tick) < 1e-3) {
      return String.format(Locale.ROOT, "%.0e", tick).replaceFirst("e([+-])0?", "e$1");
    }
    return new BigDecimal(tick).round(new MathContext(4)).stripTrailingZeros().toPlainString();
  }

  private static double step(double span) {
    double raw = span / TICKS;
    double power = Math.pow(10, Math.floor(Math.log10(raw)));
    for (double nice : NICE) {
      if (nice * power >= raw) {
        return nice * power;
      }
    }
    return 10 * power;
  }

  /**
   * The largest number of the form 1, 2 or 5 times a power of ten, of either sign, that is at most
   * {@code value}.
   */
  private static double below(double value) {
    double size = Math.abs(value);
    double power = Math.pow(10, Math.floor(Math.log10(size)));
    double chosen = value > 0 ? power : 10 * power;
    for (double nice : NICE) {
      double candidate = nice * power;
      if (value > 0 && candidate <= size * (1 + 1e-9)) {
        chosen = candidate;
      }
      if (value < 0 && candidate >= size * (1 - 1e-9)) {
        return -candidate;
      }
    }
    return value > 0 ? chosen : -chosen;
  }
}
