package io.mooring.stage.replicated;

/** The exchange that Spark would plan where every executor reads a build side itself. */
public enum ReplacedExchange {
  /** Shuffles of both sides. */
  SHUFFLE,
  /** A broadcast, which Spark computes whether or not the other side has rows. */
  BROADCAST,
  /**
   * A broadcast whose size adaptive execution would measure. Where it has no rows, an inner or semi
   * join computes none of its other side.
   */
  MEASURED_BROADCAST
}
