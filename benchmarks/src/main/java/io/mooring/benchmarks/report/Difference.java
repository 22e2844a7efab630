package io.mooring.benchmarks.report;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/**
 * One query at one task count: A against B.
 *
 * @param a name of the arm on the first side
 * @param b name of the arm on the second side
 * @param test {@code paired} or {@code Welch}, both on logarithms; {@code none} where nothing can
 *     be tested
 * @param sample the unit of a sample, on both sides
 * @param samplesOfA number of samples on the first side
 * @param samplesOfB number of samples on the second side
 * @param ratio geometric mean of A over that of B, or the inverse where higher is better: above 1,
 *     B is better
 * @param low lower end of the confidence interval of the ratio (at 1 - alpha). Where nothing can be
 *     tested, this and every later value except the verdict are null
 * @param high upper end of this interval
 * @param p two-sided p value of "the ratio is 1"
 * @param adjustedP {@code p} after Holm's correction over all queries
 * @param equivalenceP p value of "the ratio is off 1 by the margin or more", after Holm's
 *     correction
 * @param detectable ratio above 1: the smallest change of a single query that is found with a
 *     probability of 80 %
 * @param verdict the outcome that the p values give
 */
public record Difference(
    String query,
    int tasks,
    String a,
    String b,
    String test,
    Samples.Unit sample,
    int samplesOfA,
    int samplesOfB,
    double ratio,
    Double low,
    Double high,
    Double p,
    Double adjustedP,
    Double equivalenceP,
    Double detectable,
    Verdict verdict) {

  /** The query and its tasks. */
  public String label() {
    return query + ", " + tasks + (tasks == 1 ? " task" : " tasks");
  }

  /** The outcome of a comparison, in the order in which readers want to know it. */
  public enum Verdict {
    /** B is worse. */
    REGRESSION,
    /** B is better. */
    IMPROVEMENT,
    /** The difference is smaller than the margin. */
    EQUIVALENT,
    /** Too few runs, or too much noise, to say any of these. */
    UNDECIDED;

    /** The name in reports and on pages. */
    @JsonValue
    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
