package io.mooring.benchmarks.program;

/** A process could not do what was asked; the report says so and the command exits 1. */
public class ProgramFailedException extends RuntimeException {
  /** With one line for the reader. */
  public ProgramFailedException(String message) {
    super(message);
  }
}
