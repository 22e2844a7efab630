package io.mooring.benchmarks.pool.jmh;

import org.openjdk.jmh.annotations.Benchmark;

/** Each thread allocates a buffer and frees it at once. */
public class PairBenchmark {

  /** Through the allocator's Java classes. */
  @Benchmark
  public void pair(Sizes sizes) throws Exception {
    Arms.current().pair(sizes.next());
  }

  /** By the native methods alone. */
  @Benchmark
  public void rawPair(Sizes sizes) {
    Arms.current().rawPair(sizes.next());
  }
}
