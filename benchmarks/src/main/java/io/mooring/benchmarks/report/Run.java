package io.mooring.benchmarks.report;

import java.util.Map;

/**
 * One measured run: the row from which every figure comes.
 *
 * @param query what was run
 * @param arm the configuration that it ran under
 * @param tasks concurrent tasks or threads
 * @param process from 1: which start of the arm's process it ran in, as rounds are numbered
 * @param round from 1, going on over the processes; the same round of two arms ran back to back
 * @param warmUp true when the run is kept out of every figure
 * @param engine {@code gpu} or {@code cpu}: who decoded the data, or whether the memory is pinned
 * @param seconds wall-clock seconds, planning included
 * @param bytes bytes of the files under the query, or of the memory that was made ready or copied
 * @param operations how often it was done in these seconds; 0 when the seconds are for one
 * @param startedAt ISO-8601 instant
 * @param metrics what was counted beside it, by name, in the units of each metric
 */
public record Run(
    String query,
    String arm,
    int tasks,
    int process,
    int round,
    boolean warmUp,
    String engine,
    double seconds,
    long bytes,
    long operations,
    String startedAt,
    Map<String, Long> metrics) {}
