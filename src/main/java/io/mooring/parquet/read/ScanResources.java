package io.mooring.parquet.read;

/** What all scans on one device share: I/O threads, admission, and the decode monitor. */
public record ScanResources(IoThreads threads, DeviceAdmission admission, DecodeMonitor monitor) {}
