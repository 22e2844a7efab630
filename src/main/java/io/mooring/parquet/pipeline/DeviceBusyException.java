package io.mooring.parquet.pipeline;

/** The device had no room for a unit in time. */
public final class DeviceBusyException extends RuntimeException {
  public DeviceBusyException(String message) {
    super(message);
  }
}
