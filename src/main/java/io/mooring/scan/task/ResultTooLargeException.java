package io.mooring.scan.task;

/** Thrown when operators would make so much of a unit that it has to be taken in parts. */
public final class ResultTooLargeException extends RuntimeException {
  public ResultTooLargeException(String reason) {
    super(reason);
  }
}
