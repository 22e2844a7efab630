package io.mooring.parquet.footer;

/** A file, or a part of it, has to be read by Spark's own reader; the message says why. */
public final class UnreadableOnGpuException extends Exception {
  public UnreadableOnGpuException(String reason) {
    super(reason);
  }

  public UnreadableOnGpuException(String reason, Throwable cause) {
    super(reason, cause);
  }
}
