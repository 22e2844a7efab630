package io.mooring.benchmarks.worker.jvm;

import java.util.Map;

/** A step that is timed. */
interface PipelineStep {

  /**
   * The work that a step did.
   *
   * @param bytes encoded bytes that went through it
   * @param metrics what its stages counted
   */
  record Done(long bytes, Map<String, Long> metrics) {}

  /** Prepares what the step needs; this is not timed. */
  default void prepare() throws Exception {}

  /** Does it once with so many concurrent tasks. */
  Done run(int tasks) throws Exception;

  /** Gives back what {@link #prepare} took. */
  default void finish() {}
}
