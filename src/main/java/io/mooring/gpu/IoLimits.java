package io.mooring.gpu;

import io.mooring.conf.AutoDefaults;
import io.mooring.conf.MooringConf;
import io.mooring.conf.ScanEntries;

/**
 * Bounds of concurrent reads.
 *
 * @param threads that read files
 * @param requests most under way at object stores
 */
record IoLimits(int threads, int requests) {
  static IoLimits of(MooringConf conf) {
    return new IoLimits(
        (int) conf.get(ScanEntries.IO_THREADS).orElse(AutoDefaults.ioThreads()),
        (int) conf.get(ScanEntries.STORE_REQUESTS).orElse(AutoDefaults.storeRequests()));
  }

  /** The share of one of several devices: at least one thread and one request. */
  IoLimits sharedBy(int devices) {
    return new IoLimits(share(threads, devices), share(requests, devices));
  }

  private static int share(int all, int devices) {
    return Math.max(1, (all + devices - 1) / devices);
  }
}
