package io.mooring.expr.device;

/**
 * Thrown while rows are computed on the GPU when Spark has to compute them, so that its result or
 * its error is what the query gets. The message says why.
 */
public final class SparkFallbackException extends RuntimeException {
  public SparkFallbackException(String reason) {
    super(reason);
  }
}
