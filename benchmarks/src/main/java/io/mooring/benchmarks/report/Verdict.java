package io.mooring.benchmarks.report;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

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
