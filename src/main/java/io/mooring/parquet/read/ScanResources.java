package io.mooring.parquet.read;

import io.mooring.cache.ChunkCache;

/**
 * The resources that all scans on one device share.
 *
 * @param cache which all devices share
 */
public record ScanResources(
    IoThreads threads, DeviceAdmission admission, DecodeMonitor monitor, ChunkCache cache) {}
