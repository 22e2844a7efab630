package io.mooring.parquet.read;

import io.mooring.memory.PinnedPool;

/** How many bytes are put into one host buffer and copied to the device at once. */
final class PieceSizes {
  // The copy engine loses 4 to 7 % of its rate to copies of 4 MiB, nothing to such as these.
  private static final long MOST = 16L << 20;
  private static final long LEAST = 1L << 20;
  // A copy from pageable memory keeps its thread busy: several at a time are better.
  private static final long PAGEABLE = 4L << 20;
  private static final long PAGEABLE_REQUEST = 8L << 20;
  // That many have room in the pool, so that a small one is not refused for want of a long run.
  private static final int IN_POOL = 16;
  // The pool is so many times what all requests to stores have.
  private static final int REQUESTS_IN_POOL = 2;

  private PieceSizes() {}

  /** In bytes, for a unit that is started now. */
  static long now() {
    return of(PinnedPool.mostBytes(), PinnedPool.mostFallbackBytes());
  }

  /**
   * In bytes.
   *
   * @param pool what it may hold at most; 0 where there is none
   * @param fallback most pageable memory; 0 where pieces wait for the pool alone
   */
  static long of(long pool, long fallback) {
    long bytes = pool == 0 ? PAGEABLE : Math.min(MOST, pool / IN_POOL);
    // What the pool has no room for has to fit what stands in for it.
    return Math.max(LEAST, fallback == 0 ? bytes : Math.min(bytes, fallback));
  }

  /**
   * In bytes, for each of so many requests to stores under way at a time: so long that a store
   * spends most of the time sending, and that all of them leave the pool room for results.
   */
  static long ofRequest(int requests) {
    return ofRequest(requests, PinnedPool.mostBytes(), PinnedPool.mostFallbackBytes());
  }

  /** As the other, of a pool and a fallback as {@link #of} has them. */
  static long ofRequest(int requests, long pool, long fallback) {
    long bytes = pool == 0 ? PAGEABLE_REQUEST : Math.min(MOST, pool / REQUESTS_IN_POOL / requests);
    return Math.max(LEAST, fallback == 0 ? bytes : Math.min(bytes, fallback));
  }

  /** Bytes of the buffers that so many requests may have at a time. */
  static long ofRequests(int requests) {
    long all = requests * ofRequest(requests);
    long pool = PinnedPool.mostBytes();
    return pool == 0 ? all : Math.min(all, pool / REQUESTS_IN_POOL);
  }
}
