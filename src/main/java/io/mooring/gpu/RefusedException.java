package io.mooring.gpu;

/** Says that an object which tasks share is not to be had on a device, and why. */
public final class RefusedException extends RuntimeException {
  public RefusedException(String reason) {
    super(reason);
  }
}
