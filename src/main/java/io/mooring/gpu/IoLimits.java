package io.mooring.gpu;

import io.mooring.conf.MooringConf;
import io.mooring.conf.ScanEntries;

/**
 * How much is read at a time.
 *
 * @param threads that read files
 * @param requests most under way at object stores
 */
record IoLimits(int threads, int requests) {
  private static final int LEAST_THREADS = 4;
  private static final int MOST_THREADS = 32;
  // A store sends 80 to 90 MB/s for each request: so many fill a link of 40 Gbit/s. S3A has 96
  // threads for them, unless told otherwise.
  private static final int REQUESTS = 64;

  static IoLimits of(MooringConf conf) {
    int cores = Runtime.getRuntime().availableProcessors();
    int threads = Math.min(MOST_THREADS, Math.max(LEAST_THREADS, cores));
    return new IoLimits(
        (int) conf.get(ScanEntries.IO_THREADS).orElse(threads),
        (int) conf.get(ScanEntries.STORE_REQUESTS).orElse(REQUESTS));
  }

  /** The share of each of so many, at least one of all. */
  IoLimits sharedBy(int devices) {
    return new IoLimits(share(threads, devices), share(requests, devices));
  }

  private static int share(int all, int devices) {
    return Math.max(1, (all + devices - 1) / devices);
  }
}
