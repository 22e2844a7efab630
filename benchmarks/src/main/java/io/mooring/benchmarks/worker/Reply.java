package io.mooring.benchmarks.worker;

import java.util.List;
import java.util.Map;

/** A worker's reply: one JSON object on one line of its standard output. */
public sealed interface Reply {

  /** The request is done, and there is nothing to say about it. */
  record Done() implements Reply {}

  /** Columns of a view in order: name and Spark's simple type name. */
  record Columns(Map<String, String> types) implements Reply {}

  /**
   * A query that ran.
   *
   * @param seconds wall-clock seconds from SQL text to last row, of all copies
   * @param engine {@code gpu} or {@code cpu}
   * @param rows what it returned, one copy after the other; empty for the noop sink
   * @param metrics what its scans counted, summed by name, and the exchanges of its plan
   */
  record Result(double seconds, String engine, List<List<Object>> rows, Map<String, Long> metrics)
      implements Reply {}

  /**
   * Files that can be read without Spark.
   *
   * @param gpuProblem why there is no GPU; empty when there is one
   * @param bytes encoded bytes of all columns
   * @param units that they are read in
   * @param plain whether nothing is compressed
   */
  record Planned(String gpuProblem, long bytes, int units, boolean plain) implements Reply {}
}
