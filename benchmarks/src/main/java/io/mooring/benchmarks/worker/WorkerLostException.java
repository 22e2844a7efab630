package io.mooring.benchmarks.worker;

/** The worker's process has ended or does not answer; nothing more can be asked of it. */
public final class WorkerLostException extends RuntimeException {
  WorkerLostException(String message, Throwable cause) {
    super(message, cause);
  }
}
