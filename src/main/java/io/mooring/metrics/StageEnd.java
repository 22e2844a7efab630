package io.mooring.metrics;

import java.util.Arrays;

/** What the text of a stage's node says of the place where the stage ends. */
public enum StageEnd {
  /** The operator above is not in the stage, though no exchange is between them. */
  BELOW_OPERATOR("ends below: "),
  /** Groups go through an exchange, although one task could compute some aggregates as a whole. */
  EXCHANGES_GROUPS("exchanges groups: ");

  private final String label;

  StageEnd(String label) {
    this.label = label;
  }

  /** The text with a reason. */
  public String because(String reason) {
    return label + reason;
  }

  /** Whether a text says where a stage ends. */
  public static boolean begins(String text) {
    return Arrays.stream(values()).anyMatch(end -> text.startsWith(end.label));
  }
}
