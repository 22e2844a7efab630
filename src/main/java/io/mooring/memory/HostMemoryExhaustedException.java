package io.mooring.memory;

/** No host memory came free in time; the message names the setting that bounds it. */
public final class HostMemoryExhaustedException extends RuntimeException {
  public HostMemoryExhaustedException(String message) {
    super(message);
  }
}
