package io.mooring.benchmarks.stats;

import java.util.List;
import org.apache.commons.statistics.inference.TTest;

/** Welch's t-test: do two samples of unequal variance have the same mean? */
public final class Welch {

  private Welch() {}

  /**
   * The two-sided p value; null when either sample has fewer than two measurements, or when neither
   * varies.
   */
  public static Double pValue(List<Double> a, List<Double> b) {
    if (a.size() < 2 || b.size() < 2) {
      return null;
    }
    double p = TTest.withDefaults().test(Sample.array(a), Sample.array(b)).getPValue();
    return Double.isNaN(p) ? null : p;
  }
}
