package io.mooring.benchmarks.report;

/**
 * A figure that an issue asks for, and whether it was reached.
 *
 * @param name what is compared
 * @param value the figure; null when it was not measured
 * @param relation {@code >=} or {@code <=}
 * @param bound what the value is held against, in its unit
 * @param holds whether value, relation and bound are true; null when the check was skipped
 * @param reason why it was skipped, or what failed; may be empty
 */
public record Check(
    String name, Double value, String relation, double bound, Boolean holds, String reason) {

  /** Holds when the value is the bound or more. */
  public static Check atLeast(String name, double value, double bound) {
    return new Check(name, value, ">=", bound, value >= bound, "");
  }

  /** Holds when the value is the bound or less; the reason is kept only when it does not. */
  public static Check atMost(String name, double value, double bound, String reason) {
    boolean holds = value <= bound;
    return new Check(name, value, "<=", bound, holds, holds ? "" : reason);
  }

  /** A check that neither holds nor fails. */
  public static Check skipped(String name, String relation, double bound, String reason) {
    return new Check(name, null, relation, bound, null, reason);
  }

  /** {@code holds}, {@code fails} or {@code skipped}. */
  public String verdict() {
    return holds == null ? "skipped" : holds ? "holds" : "fails";
  }
}
