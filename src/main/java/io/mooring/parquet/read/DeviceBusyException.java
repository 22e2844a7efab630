package io.mooring.parquet.read;

/** The device had no room for a unit within the time limit. */
public final class DeviceBusyException extends RuntimeException {
  public DeviceBusyException(String message) {
    super(message);
  }
}
