package io.mooring.parquet;

/** What all scans on one device share: the I/O threads and the admission to the device. */
public record ScanResources(IoThreads threads, DeviceAdmission admission) {}
