package io.mooring.benchmarks.pool;

/** An allocator could not do what was asked; the report says so and the command exits 1. */
class ArmFailedException extends RuntimeException {
  ArmFailedException(String message) {
    super(message);
  }
}
