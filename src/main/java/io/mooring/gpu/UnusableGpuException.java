package io.mooring.gpu;

/** This process cannot read on a GPU; the message says why, to a user. */
final class UnusableGpuException extends Exception {
  UnusableGpuException(String reason) {
    super(reason);
  }

  /** The reason, as it follows a colon. */
  String reason() {
    return String.valueOf(getMessage());
  }
}
