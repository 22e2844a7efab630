package io.mooring.benchmarks.overlap;

import java.util.stream.DoubleStream;

/**
 * Seconds that the stages of one piece of work take, each alone, for all chunks.
 *
 * @param staging from pageable into pinned memory
 * @param copying from there to the device
 * @param computing on the device
 */
record Stages(double staging, double copying, double computing) {

  /** The time of all stages, one after the other. */
  double sum() {
    return staging + copying + computing;
  }

  /** All at the same time: no faster than the slowest. */
  double slowest() {
    return DoubleStream.of(staging, copying, computing).max().orElseThrow();
  }

  /** The speedup of perfect overlap over none: sum over maximum. */
  double ideal() {
    return sum() / slowest();
  }

  /** The speedup of a measured run over the stages one after the other. */
  double speedUp(double seconds) {
    return sum() / seconds;
  }

  /** The share of the ideal speedup that a measured run reaches. */
  double ofIdeal(double seconds) {
    return speedUp(seconds) / ideal();
  }
}
