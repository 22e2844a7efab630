package io.mooring.benchmarks.worker;

/** The worker could not do what was asked, and goes on. */
public final class RequestFailedException extends RuntimeException {
  RequestFailedException(String message) {
    super(message);
  }
}
