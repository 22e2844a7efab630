package io.mooring.benchmarks.program;

/** This machine lacks what a process needs: a note, no failure. */
public final class ProgramUnavailableException extends ProgramFailedException {
  /** With one line for the reader. */
  public ProgramUnavailableException(String message) {
    super(message);
  }
}
