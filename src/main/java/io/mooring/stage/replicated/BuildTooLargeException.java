package io.mooring.stage.replicated;

/** Thrown when a build side has too many bytes of rows for a relation on the heap. */
final class BuildTooLargeException extends RuntimeException {
  private static final long serialVersionUID = 1;

  BuildTooLargeException(long bytes) {
    super("rows of " + bytes + " bytes", null, false, false);
  }
}
