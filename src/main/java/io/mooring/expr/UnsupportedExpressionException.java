package io.mooring.expr;

/**
 * Thrown for an expression that the GPU does not evaluate exactly as Spark; the message says why.
 */
public final class UnsupportedExpressionException extends Exception {
  public UnsupportedExpressionException(String reason) {
    super(reason);
  }
}
