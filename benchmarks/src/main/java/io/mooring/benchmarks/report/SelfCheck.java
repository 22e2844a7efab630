package io.mooring.benchmarks.report;

/**
 * The samples of one query under one arm, compared with themselves.
 *
 * @param sample what the samples are
 * @param samples how many there are
 * @param welch share of random halves in which Welch's test finds a difference
 * @param paired share of random turns of neighbouring samples in which the paired test finds one
 * @param drift p value of "the first half took as long as the second": a small one says that the
 *     machine changed meanwhile, which only runs in turns can even out
 */
public record SelfCheck(
    String query,
    int tasks,
    String arm,
    Samples.Unit sample,
    int samples,
    double welch,
    double paired,
    Double drift) {}
