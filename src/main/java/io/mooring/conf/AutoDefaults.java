package io.mooring.conf;

/**
 * The meaning of {@code auto} in settings. The settings' documentation uses the same constants.
 * Sizes are in bytes.
 */
public final class AutoDefaults {
  private static final int PERCENT = 100;

  /** A divisor: the pool takes 1/POOL_SHARE of the memory that a process may use. */
  static final int POOL_SHARE = 4;

  /** A divisor: all pools of a host together take 1/HOST_SHARE of its memory. */
  static final int HOST_SHARE = 2;

  /** More pinned memory than this has not been seen to help one GPU. */
  static final long MAX_POOL = 16L << 30;

  /** More threads that touch memory only contend with each other. */
  static final int MAX_INIT_THREADS = 12;

  static final int MIN_IO_THREADS = 4;
  static final int MAX_IO_THREADS = 32;

  // A store sends 80 to 90 MB/s for each request: so many fill a link of 40 Gbit/s. S3A has 96
  // threads for them by default.
  static final int STORE_REQUESTS = 64;

  /** The rest of the pool serves reads and results without an eviction. */
  static final int CACHE_PERCENT = 75;

  private AutoDefaults() {}

  /**
   * Size of the pinned pool of one process.
   *
   * @param limit what the process may use
   * @param executors how many processes like it share the limit
   */
  static long poolSize(long limit, int executors) {
    return Math.min(limit / Math.max(POOL_SHARE, HOST_SHARE * (long) executors), MAX_POOL);
  }

  /** Most bytes that the cache may hold of a pool. */
  public static long cacheBytes(long pool) {
    return pool / PERCENT * CACHE_PERCENT;
  }

  /** Threads that touch the pool's memory at start. */
  public static int initThreads() {
    return Math.min(MAX_INIT_THREADS, cores());
  }

  /** Threads that read files. */
  public static int ioThreads() {
    return Math.min(MAX_IO_THREADS, Math.max(MIN_IO_THREADS, cores()));
  }

  /** Most requests that are under way at object stores. */
  public static int storeRequests() {
    return STORE_REQUESTS;
  }

  private static int cores() {
    return Runtime.getRuntime().availableProcessors();
  }
}
