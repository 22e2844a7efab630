package io.mooring.stage.replicated;

/** A build side has more rows than a relation on the heap is to hold. */
final class BuildTooLargeException extends RuntimeException {
  private static final long serialVersionUID = 1;

  BuildTooLargeException(long bytes) {
    super("rows of " + bytes + " bytes", null, false, false);
  }
}
