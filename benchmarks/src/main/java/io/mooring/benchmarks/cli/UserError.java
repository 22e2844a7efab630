package io.mooring.benchmarks.cli;

/** Something that the user can put right; shown as one line, without a stack trace. */
public final class UserError extends RuntimeException {

  private final int exitCode;

  private UserError(String message, int exitCode) {
    super(message);
    this.exitCode = exitCode;
  }

  /** A wrong option or argument: exit code 2. */
  public static UserError usage(String message) {
    return new UserError(message, 2);
  }

  /** A run that could not go on: exit code 1. */
  public static UserError failure(String message) {
    return new UserError(message, 1);
  }

  /** The process's exit code, 1 or 2. */
  public int exitCode() {
    return exitCode;
  }
}
