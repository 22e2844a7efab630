package io.mooring.scan.task;

/** Thrown when operators would make so many rows of a unit that it has to be halved or chunked. */
public final class ResultTooLargeException extends RuntimeException {
  public ResultTooLargeException(String reason) {
    super(reason);
  }
}
