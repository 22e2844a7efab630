package io.mooring.parquet.read;

import io.mooring.cache.ChunkCache;

/**
 * The resources that all scans on one device share.
 *
 * @param limit of the tasks that decode and compute at a time
 * @param cache which all devices share
 */
public record ScanResources(
    IoThreads threads,
    DeviceAdmission admission,
    TaskLimit limit,
    DecodeMonitor monitor,
    ChunkCache cache) {

  /** The same resources for scans that tasks with a turn may wait for. */
  public ScanResources withoutLimit() {
    return new ScanResources(threads, admission, TaskLimit.NONE, monitor, cache);
  }
}
