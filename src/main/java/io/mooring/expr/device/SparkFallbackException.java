package io.mooring.expr.device;

/**
 * Thrown when Spark has to compute rows instead of the GPU, so that the query gets Spark's result
 * or Spark's error. The message says why.
 */
public final class SparkFallbackException extends RuntimeException {
  public SparkFallbackException(String reason) {
    super(reason);
  }
}
