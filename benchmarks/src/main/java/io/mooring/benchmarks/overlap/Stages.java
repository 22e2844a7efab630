package io.mooring.benchmarks.overlap;

import java.util.stream.DoubleStream;

/**
 * How long the stages of one piece of work take, each alone, in seconds for all chunks.
 *
 * @param staging from pageable into pinned memory
 * @param copying from there to the device
 * @param computing on the device
 */
record Stages(double staging, double copying, double computing) {

  /** One after the other. */
  double sum() {
    return staging + copying + computing;
  }

  /** All at the same time: no faster than the slowest. */
  double slowest() {
    return DoubleStream.of(staging, copying, computing).max().orElseThrow();
  }

  /** How many times faster perfect overlap is than none: sum over maximum. */
  double ideal() {
    return sum() / slowest();
  }

  /** How many times faster a measured run is than the stages one after the other. */
  double speedUp(double seconds) {
    return sum() / seconds;
  }

  /** Which share of the ideal a measured run reaches. */
  double ofIdeal(double seconds) {
    return speedUp(seconds) / ideal();
  }
}
