package io.mooring.benchmarks.pool;

/** This machine lacks what an allocator needs: a note, no failure. */
final class ArmUnavailableException extends ArmFailedException {
  ArmUnavailableException(String message) {
    super(message);
  }
}
