package io.mooring.gpu;

/** This process cannot read on a GPU; the message says why, to a user. */
final class UnusableGpuException extends Exception {
  private final boolean expected;

  UnusableGpuException(String reason) {
    this(reason, false);
  }

  /**
   * The reason: a clause that can follow a colon.
   *
   * @param expected nothing is wrong: this machine has no GPU
   */
  UnusableGpuException(String reason, boolean expected) {
    super(reason);
    this.expected = expected;
  }

  /** Whether there is nothing to mend. */
  boolean isExpected() {
    return expected;
  }

  /** The reason, as it follows a colon. */
  String reason() {
    return String.valueOf(getMessage());
  }
}
