package io.mooring.benchmarks.pool;

/** A part of the command, which adds rows. */
interface PoolStep {

  /** About how many rows it adds. */
  int rows();

  /** Measures; what fails is recorded and does not end the command. */
  void run();
}
